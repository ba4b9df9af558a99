import {
  brokenBarrierInvariants,
  brokenSourceInvariants,
  brokenStreamOrderInvariants,
  brokenTargetInvariants,
  EMPTY_TRAIL,
  SessionBarriers as CoreSessionBarriers,
  stepSource as coreStepSource,
  StreamOrder as CoreStreamOrder,
  TargetRegistry as CoreTargetRegistry,
  watchSource,
  type SourceInput,
  type SourceState,
  type SourceStep,
  type SourceTrail,
} from "@rehome/core";
import { broken } from "./watch.ts";

/**
 * What the runtime gets for `@rehome/core` in a simulation: the same, with every step of its machines held against their
 * invariants. `watchedCore` in `../bundle/plugins.ts` puts it in between.
 */
export * from "@rehome/core";

const trails = new WeakMap<SourceState["config"], SourceTrail>();

export function stepSource(state: SourceState, input: SourceInput, now: number): SourceStep {
  const step = coreStepSource(state, input, now);
  const [trail, complaints] = watchSource(trails.get(state.config) ?? EMPTY_TRAIL, state, input, step.effects);
  trails.set(state.config, trail);
  for (const complaint of complaints) broken(`source: ${complaint} (${state.type})`);
  for (const name of brokenSourceInvariants(step.state)) broken(`source, invariant ${name} (${step.state.type})`);
  return step;
}

export class TargetRegistry extends CoreTargetRegistry {
  override step(...args: Parameters<CoreTargetRegistry["step"]>): ReturnType<CoreTargetRegistry["step"]> {
    const work = super.step(...args);
    const state = this.stateOf(args[0]);
    if (state) for (const name of brokenTargetInvariants(state)) broken(`target, invariant ${name} (${state.type})`);
    return work;
  }
}

export class SessionBarriers<Message, Push> extends CoreSessionBarriers<Message, Push> {
  override handle(
    ...args: Parameters<CoreSessionBarriers<Message, Push>["handle"]>
  ): ReturnType<CoreSessionBarriers<Message, Push>["handle"]> {
    const effects = super.handle(...args);
    for (const name of brokenBarrierInvariants(this.inspect())) broken(`session barriers, invariant ${name}`);
    return effects;
  }
}

export class StreamOrder<Item> extends CoreStreamOrder<Item> {
  override accept(...args: Parameters<CoreStreamOrder<Item>["accept"]>): ReturnType<CoreStreamOrder<Item>["accept"]> {
    const acceptance = super.accept(...args);
    for (const name of brokenStreamOrderInvariants(this.inspect())) broken(`stream order, invariant ${name}`);
    return acceptance;
  }
}

import { IngressHold, releaseEach } from "@rehome/core";
import { operationKey } from "@rehome/wire";
import type { MoveResult } from "../api.ts";
import { reportCallback } from "../callbacks.ts";
import { RuntimeError } from "../errors.ts";
import type { Host } from "../host.ts";
import { randomId128 } from "../ids.ts";
import type { Activation } from "./activation.ts";
import { refuse } from "./answers.ts";
import type { Held } from "./held.ts";
import { writeError } from "./saving.ts";

/** Pauses between tries while the actor moves or joins. */
const RETRY_PAUSE_MS = 20;

/**
 * Ends an actor of this node for good, after its running turn (`protocol.md` S16). Rejects with `busy` while it moves or joins
 * (H7), and with what kept the store from it; then the actor goes on.
 */
export async function endActor(host: Host, activation: Activation): Promise<void> {
  const request = { kind: "relocate", targetNodeRid: host.self.nodeRid, joins: undefined } as const;
  try {
    // One thing at a time happens to an actor (O2): to end is to move to nowhere, and the same wish shares it.
    await host.mover.departures.occupy(activation, request, () => end(host, activation));
  } catch (error) {
    if (!(error instanceof RuntimeError) || error.code !== "operationInProgress") throw error;
    throw new RuntimeError("busy", `actor "${activation.actorId}" is moving or joining; try again`, { cause: error });
  }
}

/** `ActorContext.destroy`: as `endActor`, once it can be, within the time of a creation. What keeps it from that is reported. */
export async function endActorSoon(host: Host, activation: Activation): Promise<void> {
  const { clock, deadlines } = host.config;
  const deadlineMs = clock.nowMs() + deadlines.createMs;
  for (;;) {
    try {
      await endActor(host, activation);
      return;
    } catch (error) {
      const isBusy = error instanceof RuntimeError && error.code === "busy";
      if (!isBusy || activation.departed || clock.nowMs() >= deadlineMs) {
        reportCallback(host.config, activation.actorId, "ctx.destroy", error);
        return;
      }
    }
    await host.directory.pause(RETRY_PAUSE_MS);
  }
}

async function end(host: Host, activation: Activation): Promise<MoveResult> {
  const { actorId, actorType } = activation;
  const operation = operationKey(randomId128(host.config.random));
  const hold = new IngressHold<Held>(operation, "full", host.mover.holdLimits());
  activation.hold = hold;
  await new Promise<void>((resolve) => activation.stopTurns(resolve));
  const outcome = await (activation.writes?.write({ type: "destroy" }) ?? NOT_OWNER);
  activation.hold = undefined;
  const held = hold.giveBack(operation).map(({ delivery }) => delivery);
  if (outcome.type !== "written") {
    releaseEach(held, (delivery) => activation.accept(delivery));
    activation.openGate();
    throw writeError(`destroying actor "${actorId}"`, outcome);
  }
  const { fence, place } = activation;
  const unrun = activation.unrun();
  const sessions = activation.bindings.list();
  host.actors.remove(activation);
  host.spots.left(place, { actorId, actorType });
  releaseEach([...unrun, ...held], (delivery) =>
    refuse(host, delivery, "notFound", `actor "${actorId}" was destroyed`),
  );
  for (const session of sessions)
    host.links.send(session.ownerNodeRid, { command: "boundSessionReplaced", actor: fence, retired: session });
  return { relocation: operation, outcome: "committed" };
}

const NOT_OWNER = Promise.resolve({ type: "failed", reason: "notOwner" } as const);

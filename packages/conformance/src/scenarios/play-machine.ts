/** How a machine is played: a fact and the time in, effects or answers out. */
import { CoreError } from "@rehome/core";
import { ScenarioError } from "./json.ts";

/** What a step gives. Values are those of `core`, not yet JSON. */
export type Play = (input: Fact, atMs: number) => readonly unknown[];
export interface Fact {
  readonly type: string;
}

/** One machine's inputs, by type. What comes back is an effect, a list of them, or nothing. */
type Moves<Inputs extends Readonly<Record<string, object>>> = {
  readonly [Name in keyof Inputs]: (input: Inputs[Name], atMs: number) => object | readonly object[] | undefined;
};

/**
 * A machine that is an object with methods: each input calls one, and what it answers is the step's only effect. A
 * `CoreError` is an answer too: `{"type": "Refused", "code"}`.
 */
export function answering<Inputs extends Readonly<Record<string, object>>>(moves: Moves<Inputs>): Play {
  return (input, atMs) => {
    const move = (moves as Readonly<Record<string, Moves<Inputs>[string]>>)[input.type];
    if (move === undefined) throw new ScenarioError(`this machine knows no input "${input.type}"`);
    try {
      const answer = move(input as never, atMs);
      if (answer === undefined) return [];
      return Array.isArray(answer) ? (answer as readonly unknown[]) : [answer];
    } catch (error) {
      if (!(error instanceof CoreError)) throw error;
      return [{ type: "Refused", code: error.code }];
    }
  };
}

/** A machine that is a start and a step over a state. It starts with the input `Start`. */
export function stepping<State, Input extends { readonly type: string }>(
  start: (atMs: number) => { readonly state: State; readonly effects: readonly unknown[] },
  step: (
    state: State,
    input: Input,
    atMs: number,
  ) => {
    readonly state: State;
    readonly effects: readonly unknown[];
  },
): Play {
  let state: State | undefined;
  return (input, atMs) => {
    if ((input.type === "Start") !== (state === undefined))
      throw new ScenarioError('"Start" comes first, and only once');
    const next = state === undefined ? start(atMs) : step(state, input as unknown as Input, atMs);
    state = next.state;
    return next.effects;
  };
}

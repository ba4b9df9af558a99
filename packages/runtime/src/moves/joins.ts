import { spotAuthorityKey } from "@rehome/wire";
import type { Activation, JoinWish } from "../actors/activation.ts";
import { joinAnswer } from "../actors/delivery.ts";
import { asRuntimeError } from "../errors.ts";
import type { Host } from "../host.ts";
import { id128Text, randomId128 } from "../ids.ts";
import type { Departures } from "./departures.ts";
import { JoinRun } from "./join-run.ts";
import type { Mover } from "./mover.ts";

/** Deferred joins (`protocol.md` J1, J6): one run for each. */
export class Joins {
  readonly #host: Host;
  readonly #mover: Mover;
  readonly #departures: Departures;

  constructor(host: Host, mover: Mover, departures: Departures) {
    this.#host = host;
    this.#mover = mover;
    this.#departures = departures;
  }

  /** The turn that asked has ended. The answer comes to the actor as a message of its own, here or on the target. */
  join(activation: Activation, wish: JoinWish): void {
    const run = new JoinRun(this.#host, this.#mover, activation, wish);
    const request = {
      kind: "join",
      targetNodeRid: this.#host.self.nodeRid,
      joins: spotAuthorityKey(wish.spotId),
    } as const;
    this.#departures
      .occupy(activation, request, (over) => run.start(over))
      .catch((error: unknown) => this.#refused(activation, wish, run.begun, error));
  }

  /** Another move of the actor is under way (O2), or too many (T4): the run never began, and so could not tell the actor. */
  #refused(activation: Activation, { spotId }: JoinWish, begun: boolean, error: unknown): void {
    if (begun) return;
    const operation = randomId128(this.#host.config.random);
    const { message: reason } = asRuntimeError(error, "moveFailed", `joining spot "${spotId}" failed`);
    activation.enqueue(
      joinAnswer(operation, {
        outcome: "rejected",
        operation: id128Text(operation),
        spotId,
        reason,
        reply: undefined,
      }),
    );
  }
}

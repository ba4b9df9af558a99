import type { Session } from "@rehome/wire";
import type { ActorAddress } from "../api.ts";
import { asRuntimeError, RuntimeError } from "../errors.ts";
import { assertSize, type Payload } from "../payload.ts";
import type { Activation } from "./activation.ts";

/** Pushes, sends and requests made outside a turn that wait for a move's verdict. */
const MAX_WAITING_CALLS = 1_024;

/** Something that user code asked for outside a turn. */
interface WaitingCall {
  run(): void;
  drop(error: RuntimeError): void;
}

/**
 * What an actor's user code sends: pushes, messages, requests. While the actor is stopped for a move, what is asked for outside
 * a turn waits for the verdict: the numbers that it would get may be on their way (`protocol.md` N4).
 */
export class ActorSends {
  readonly #activation: Activation;
  readonly #waiting: WaitingCall[] = [];

  constructor(activation: Activation) {
    this.#activation = activation;
  }

  /** To one bound session, or to all. Throws `tooLarge`. */
  push(session: Session | undefined, payload: Payload): void {
    const { host, gate, bindings, fence } = this.#activation;
    if (host.stopped()) return;
    assertSize(payload, host.config.limits.messageBytes);
    const dropped = (error: RuntimeError): void => this.#pushDropped(payload, error.message);
    if (gate === "new" || gate === "stopped") {
      this.#wait({ run: () => this.push(session, payload), drop: dropped });
      return;
    }
    for (const to of session ? [session] : bindings.list()) {
      host.links.send(
        to.ownerNodeRid,
        { command: "boundSessionSend", actor: fence, expectedBindingGeneration: to.bindingGeneration, payload },
        { traffic: "data", onUnsent: dropped },
      );
    }
  }

  /** Throws `invalidArgument`, `tooLarge`, `leaseLost`. */
  send(to: ActorAddress, payload: Payload): void {
    const { host, gate, sender } = this.#activation;
    this.#assertOwner();
    if (gate !== "stopped") {
      host.outbox.send(sender, to, payload);
      return;
    }
    host.outbox.assertPostable(to, payload);
    const drop = (error: RuntimeError): void =>
      host.config.observe({ type: "SendRefused", to, name: payload.packetName, error });
    this.#wait({ run: () => this.send(to, payload), drop });
  }

  request(to: ActorAddress, payload: Payload, timeoutMs: number | undefined): Promise<Payload | undefined> {
    const { host, gate, sender } = this.#activation;
    this.#assertOwner();
    if (gate !== "stopped") return host.outbox.request(sender, to, payload, timeoutMs);
    host.outbox.assertPostable(to, payload);
    return new Promise((resolve, reject) => {
      this.#wait({ run: () => resolve(this.request(to, payload, timeoutMs)), drop: reject });
    });
  }

  /** The actor goes on here: what waited is sent. */
  resume(): void {
    for (const call of this.#waiting.splice(0)) {
      try {
        call.run();
      } catch (error) {
        call.drop(asRuntimeError(error, "closed", "it cannot be sent any more"));
      }
    }
  }

  /** This copy has moved away, or has ended. */
  end(): void {
    for (const call of this.#waiting.splice(0)) {
      call.drop(new RuntimeError("closed", "made outside a turn by a copy that has moved away"));
    }
  }

  #wait(call: WaitingCall): void {
    if (this.#waiting.length < MAX_WAITING_CALLS) this.#waiting.push(call);
    else call.drop(new RuntimeError("backpressured", "too much waits for the move of this actor to end"));
  }

  /** I1: a process that was suspended past its lease finds out here, before anything it says has effect. */
  #assertOwner(): void {
    const { host } = this.#activation;
    if (host.stopped()) throw new RuntimeError("leaseLost", "this node has lost its lease or is closed");
  }

  #pushDropped({ packetName: name }: Payload, reason: string): void {
    const { host, actorId } = this.#activation;
    host.config.observe({ type: "PushDropped", actorId, name, reason });
  }
}

import type { BindingRoute } from "./effects.ts";
import type { BarrierLimits } from "./limits.ts";

/** Bytes held for all bindings of a node, shared by its holds. */
export class HeldBytes {
  readonly #max: number;
  #now = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get now(): number {
    return this.#now;
  }

  hasRoomFor(bytes: number): boolean {
    return this.#now + bytes <= this.#max;
  }

  add(bytes: number): void {
    this.#now += bytes;
  }
}

/** A push, and the owner that it came from. */
interface HeldPush<Push> {
  readonly push: Push;
  readonly bytes: number;
  readonly from: BindingRoute;
}

/** What one sealed binding holds (`protocol.md` S17), in order of arrival. */
export class BindingHold<Message, Push> {
  readonly #limits: BarrierLimits;
  readonly #total: HeldBytes;
  #messages: Message[] = [];
  #messageBytes = 0;
  #unbinds = false;
  #pushes: HeldPush<Push>[] = [];
  #pushBytes = 0;

  constructor(limits: BarrierLimits, total: HeldBytes) {
    this.#limits = limits;
    this.#total = total;
  }

  /** An unbind is queued: nothing comes behind it. */
  get isClosing(): boolean {
    return this.#unbinds;
  }

  get messageCount(): number {
    return this.#messages.length;
  }

  get pushCount(): number {
    return this.#pushes.length;
  }

  get bytes(): number {
    return this.#messageBytes + this.#pushBytes;
  }

  /** False when it does not fit. */
  holdMessage(message: Message, bytes: number): boolean {
    const { maxHeldMessages, maxHeldMessageBytes } = this.#limits;
    if (this.#messages.length >= maxHeldMessages) return false;
    if (this.#messageBytes + bytes > maxHeldMessageBytes || !this.#total.hasRoomFor(bytes)) return false;
    this.#messages.push(message);
    this.#messageBytes += bytes;
    this.#total.add(bytes);
    return true;
  }

  /** An unbind always fits: there is one at most, and it holds no bytes of a client. */
  holdUnbind(unbind: Message): void {
    this.#messages.push(unbind);
    this.#unbinds = true;
  }

  holdPush(push: Push, bytes: number, from: BindingRoute): boolean {
    const { maxHeldPushes, maxHeldPushBytes } = this.#limits;
    if (this.#pushes.length >= maxHeldPushes) return false;
    if (this.#pushBytes + bytes > maxHeldPushBytes || !this.#total.hasRoomFor(bytes)) return false;
    this.#pushes.push({ push, bytes, from });
    this.#pushBytes += bytes;
    this.#total.add(bytes);
    return true;
  }

  takeMessages(): readonly Message[] {
    const messages = this.#messages;
    this.#total.add(-this.#messageBytes);
    this.#messages = [];
    this.#messageBytes = 0;
    return messages;
  }

  /** Takes all pushes: those of this owner, and the rest. Without an owner all are the rest. */
  takePushes(owner: BindingRoute | undefined): { readonly own: readonly Push[]; readonly rest: readonly Push[] } {
    const own: Push[] = [];
    const rest: Push[] = [];
    for (const { push, from } of this.#pushes) {
      if (owner !== undefined && isSameOwner(from, owner)) own.push(push);
      else rest.push(push);
    }
    this.#total.add(-this.#pushBytes);
    this.#pushes = [];
    this.#pushBytes = 0;
    return { own, rest };
  }
}

/** One run of a node under one authority generation. The lease goes with the run. */
export function isSameOwner(one: BindingRoute, other: BindingRoute): boolean {
  return (
    one.authorityOwnerGeneration === other.authorityOwnerGeneration &&
    one.nodeRid === other.nodeRid &&
    one.nodeGeneration === other.nodeGeneration
  );
}

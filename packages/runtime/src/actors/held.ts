import type { IngressHold } from "@rehome/core";
import type { Activation } from "./activation.ts";
import type { Delivery } from "./delivery.ts";

/** A message that came while its actor was moving. A unit has one hold for all its members, so that arrival order is one. */
export interface Held {
  readonly activation: Activation;
  readonly delivery: Delivery;
}

export type UnitHold = IngressHold<Held>;

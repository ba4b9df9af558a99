/**
 * The static module of protobufjs, with bigints converted by hand. Its messages are not verified before they are encoded,
 * nor is what they hold after they were decoded: what this project's codec refuses, this does not notice.
 */
import type { Role } from "@rehome/wire";
import type { BenchCommand } from "../records.ts";
import { rehome } from "../generated/records.ts";
import { singleBuffer, type Format } from "./format.ts";
import {
  dataFrom,
  dataTo,
  routeFrom,
  routeTo,
  sealedFrom,
  sealedTo,
  sealFrom,
  sealTo,
  type Leaves,
  type PlainData,
  type PlainRoute,
  type PlainSeal,
  type PlainSealed,
} from "./plain.ts";

/** Half and half, signed or unsigned; what protobufjs gives and takes. */
interface Long {
  readonly low: number;
  readonly high: number;
}

/** What the generated code offers of each message. */
interface Message<Plain> {
  encode(message: Plain): { finish(): Uint8Array };
  decode(bytes: Uint8Array): Plain;
}
interface Messages {
  readonly Seal: Message<PlainSeal<Long, number>>;
  readonly Sealed: Message<PlainSealed<Long>>;
  readonly Route: Message<PlainRoute<Long, number>>;
  readonly Data: Message<PlainData<Long, number, Uint8Array>>;
}
const messages = (rehome as { readonly bench: Messages }).bench;

type LongLeaves = Leaves<Long, number, Uint8Array>;

const roles: readonly (Role | undefined)[] = [undefined, "source", "target", "coordinator"];

const others: Omit<LongLeaves, "long" | "bigint"> = {
  roleTo: (role) => (role === "source" ? 1 : role === "target" ? 2 : 3),
  roleFrom: (number) => {
    const role = roles[number];
    if (role === undefined) throw new Error(`${number} is no role`);
    return role;
  },
  bytesTo: (bytes) => bytes,
  // A copy: what protobufjs gives is a view of its input when that is a Buffer.
  bytesFrom: (bytes) => new Uint8Array(bytes),
};

/** The conversion that everybody writes. */
const arithmetic: LongLeaves = {
  ...others,
  long: (value) => ({ low: Number(value & 0xffff_ffffn), high: Number(value >> 32n) }),
  bigint: (long) => (BigInt(long.high >>> 0) << 32n) | BigInt(long.low >>> 0),
};

const word = new BigUint64Array(1);
const halves = new Uint32Array(word.buffer);

/** The fastest conversion that we know, on both runtimes: through memory. */
const memory: LongLeaves = {
  ...others,
  long: (value) => {
    word[0] = value;
    return { low: halves[0]!, high: halves[1]! };
  },
  bigint: (long) => {
    halves[0] = long.low;
    halves[1] = long.high;
    return word[0]!;
  },
};

type Formats = Readonly<Record<BenchCommand["command"], Format<Uint8Array>>>;

function formats(of: LongLeaves): Formats {
  const { Seal, Sealed, Route, Data } = messages;
  return {
    sessionRelocationSeal: format(of, Seal, sealTo<Long, number, Uint8Array>, sealFrom<Long, number, Uint8Array>),
    sessionRelocationSealed: format(
      of,
      Sealed,
      sealedTo<Long, number, Uint8Array>,
      sealedFrom<Long, number, Uint8Array>,
    ),
    sessionRelocationRoute: format(of, Route, routeTo<Long, number, Uint8Array>, routeFrom<Long, number, Uint8Array>),
    relocationData: format(of, Data, dataTo<Long, number, Uint8Array>, dataFrom<Long, number, Uint8Array>),
  };
}

function format<Value extends BenchCommand, Plain>(
  of: LongLeaves,
  message: Message<Plain>,
  to: (of: LongLeaves, value: Value) => Plain,
  from: (of: LongLeaves, plain: Plain) => Value,
): Format<Uint8Array> {
  return {
    ...singleBuffer,
    encode: (value) => message.encode(to(of, value as Value)).finish(),
    decode: (encoded) => from(of, message.decode(encoded)),
  };
}

export const protobufFormats = formats(arithmetic);
export const tunedProtobufFormats = formats(memory);

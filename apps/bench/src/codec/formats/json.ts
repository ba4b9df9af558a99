/** JSON text in UTF-8: numbers of 64 bits as decimal strings, bytes in base64. */
import type { Role } from "@rehome/wire";
import type { BenchCommand } from "../records.ts";
import { singleBuffer, type Format } from "./format.ts";
import { dataFrom, dataTo, routeFrom, routeTo, sealedFrom, sealedTo, sealFrom, sealTo, type Leaves } from "./plain.ts";

const leaves: Leaves<string, Role, string> = {
  long: (value) => value.toString(),
  bigint: (long) => BigInt(long),
  roleTo: (role) => role,
  roleFrom: (role) => role,
  bytesTo: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64"),
  bytesFrom: (text) => {
    const bytes = Buffer.from(text, "base64");
    return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  },
};

function textOf(encoded: Uint8Array): string {
  return Buffer.from(encoded.buffer, encoded.byteOffset, encoded.length).toString();
}

function format<Value extends BenchCommand, Plain>(
  to: (of: typeof leaves, value: Value) => Plain,
  from: (of: typeof leaves, plain: Plain) => Value,
): Format<Uint8Array> {
  return {
    ...singleBuffer,
    encode: (value) => Buffer.from(JSON.stringify(to(leaves, value as Value))),
    decode: (encoded) => from(leaves, JSON.parse(textOf(encoded)) as Plain),
  };
}

export const jsonFormats: Readonly<Record<BenchCommand["command"], Format<Uint8Array>>> = {
  sessionRelocationSeal: format(sealTo<string, Role, string>, sealFrom<string, Role, string>),
  sessionRelocationSealed: format(sealedTo<string, Role, string>, sealedFrom<string, Role, string>),
  sessionRelocationRoute: format(routeTo<string, Role, string>, routeFrom<string, Role, string>),
  relocationData: format(dataTo<string, Role, string>, dataFrom<string, Role, string>),
};

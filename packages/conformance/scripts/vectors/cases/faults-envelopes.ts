/** Faults in metadata and payloads. */
import { bytes, envelope, join, measured, metadata, text16, text8, u16, u32, u8, type Bytes } from "../bytes.ts";
import { fault, payload, send, type Fault } from "./faults.ts";

export const metadataFaults: readonly Fault[] = [
  ...[0, 2, 255].map((version) =>
    fault(
      `metadata-version-${version}`,
      `Metadata of version ${version}.`,
      [send(1), bytes(version, 0), payload],
      ["invalid-field"],
    ),
  ),
  fault(
    "metadata-count-255",
    "255 entries are counted, one is there.",
    [send(1), join(u8(1), u8(255), text8("k"), text16("v")), payload],
    ["truncated-field"],
  ),
  fault(
    "metadata-count-low",
    "None is counted, one is there.",
    [send(1), join(u8(1), u8(0), text8("k"), text16("v")), payload],
    ["trailing-byte"],
  ),
  fault(
    "metadata-key-twice",
    "The same key twice.",
    [send(1), metadata(["k", "1"], ["k", "2"]), payload],
    ["invalid-field"],
  ),
  fault(
    "metadata-key-twice-apart",
    "The same key twice, another between them.",
    [send(1), metadata(["k", "1"], ["l", "2"], ["k", "1"]), payload],
    ["invalid-field"],
  ),
  fault(
    "metadata-hostile-key-twice",
    "__proto__ twice is a key twice.",
    [send(1), metadata(["__proto__", "1"], ["__proto__", "1"]), payload],
    ["invalid-field"],
  ),
  fault(
    "metadata-key-empty",
    "A key of length 0.",
    [send(1), join(u8(1), u8(1), u8(0), text16("v")), payload],
    ["invalid-field"],
  ),
  fault("metadata-key-nul", "NUL in a key.", [send(1), metadata(["a\0", "v"]), payload], ["invalid-field"]),
  fault("metadata-value-nul", "NUL in a value.", [send(1), metadata(["k", "a\0b"]), payload], ["invalid-field"]),
  fault(
    "metadata-value-ill-formed",
    "A value that is not UTF-8.",
    [send(1), join(u8(1), u8(1), text8("k"), measured(2, bytes(0xc0, 0x80))), payload],
    ["invalid-field"],
  ),
  fault(
    "metadata-value-surrogate",
    "A value with a surrogate.",
    [send(1), join(u8(1), u8(1), text8("k"), measured(2, bytes(0xed, 0xa0, 0x80))), payload],
    ["invalid-field"],
  ),
  fault(
    "metadata-value-1025-missing",
    "A value of 1,025 bytes, none of which is there: invalid at once.",
    [send(1), join(u8(1), u8(1), text8("k"), u16(1025)), payload],
    ["invalid-field"],
  ),
  fault(
    "metadata-value-1024-missing",
    "A value of 1,024 bytes is in range: the bytes are missing.",
    [send(1), join(u8(1), u8(1), text8("k"), u16(1024)), payload],
    ["truncated-field"],
  ),
  fault(
    "metadata-1025-bytes",
    "A frame of 1,025 bytes, each entry in range.",
    [send(1), metadata(["k", "v".repeat(1019)]), payload],
    ["invalid-field"],
  ),
  fault(
    "metadata-1025-bytes-two",
    "The same with two entries.",
    [send(1), metadata(["a", "v".repeat(1000)], ["b", "v".repeat(15)]), payload],
    ["invalid-field"],
  ),
  fault(
    "metadata-1029-bytes",
    "A value of 1,024 bytes is in range, but its frame has no room for it.",
    [send(1), metadata(["k", "v".repeat(1024)]), payload],
    ["invalid-field"],
  ),
];

const sendPayload = (frameBytes: Bytes): readonly Bytes[] => [send(0), frameBytes];

export const payloadFaults: readonly Fault[] = [
  fault(
    "payload-body-4g",
    "A body of 4 GiB − 1 with ten bytes behind it.",
    sendPayload(join(u8(1), u32(0xffff_ffff), bytes(1, 0x61, 1, 0x62, 0, 0, 0, 0, 0, 0))),
    ["truncated-field"],
  ),
  fault(
    "payload-data-4g",
    "A payload of 4 GiB − 1 in a body that has its right length.",
    sendPayload(
      join(u8(1), measured(4, text8("p"), text8("t"), u32(0xffff_ffff), bytes(1, 2, 3, 4, 5, 6, 7, 8, 9, 10))),
    ),
    ["truncated-field"],
  ),
  fault(
    "payload-data-long-by-one",
    "A payload that says one byte more than there is.",
    sendPayload(join(u8(1), measured(4, text8("p"), text8("t"), u32(3), bytes(1, 2)))),
    ["truncated-field"],
  ),
  fault(
    "payload-data-short-by-one",
    "A payload that says one byte less than there is.",
    sendPayload(join(u8(1), measured(4, text8("p"), text8("t"), u32(1), bytes(1, 2)))),
    ["trailing-byte"],
  ),
  fault("payload-body-empty", "A body of length 0.", sendPayload(join(u8(1), u32(0))), ["truncated-field"]),
  fault(
    "payload-trailing-in-body",
    "A byte too many in the body.",
    sendPayload(join(u8(1), measured(4, text8("p"), text8("t"), u32(0), u8(0)))),
    ["trailing-byte"],
  ),
  fault(
    "payload-trailing-behind",
    "A byte too many behind the body.",
    sendPayload(join(envelope("p", "t", bytes()), u8(0))),
    ["trailing-byte"],
  ),
  fault(
    "payload-no-name",
    "A packet name of length 0.",
    sendPayload(join(u8(1), measured(4, u8(0), text8("t"), u32(0)))),
    ["invalid-field", "payload.packetName"],
  ),
  fault(
    "payload-no-type",
    "A content type of length 0.",
    sendPayload(join(u8(1), measured(4, text8("p"), u8(0), u32(0)))),
    ["invalid-field", "payload.contentType"],
  ),
];

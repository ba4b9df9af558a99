/** Faults in admission (3.1). */
import { bytes, frame, join, measured, number, text16, text8, u16, u32, u64, u8, utf8, type Bytes } from "../bytes.ts";
import { fault, type Fault } from "./faults.ts";

const routeMesh = (extension: Bytes, channels: Bytes = u16(0)): Bytes =>
  join(
    u8(1),
    measured(4, text8("arena"), text8("node-a"), u64(31), u64(32), text16("tcp://192.0.2.7:7400"), channels, extension),
  );
const channels = (...list: readonly (readonly [name: string, weight: number])[]): Bytes =>
  join(u16(list.length), ...list.flatMap(([name, weight]) => [text8(name), u32(weight)]));
const capabilities = (...list: readonly string[]): Bytes => join(u16(list.length), ...list.map(text8));

/** The extension's fields, each of which a case may replace (or leave out with `undefined`), and others in their place. */
function extension(changes: Readonly<Record<number, Bytes | undefined>> = {}): Bytes {
  const fields: Readonly<Record<number, Bytes | undefined>> = {
    1: u8(1),
    2: u64(33),
    6: capabilities("rehome-v1"),
    8: u32(50),
    32: utf8("node-a"),
    33: utf8("owner-a"),
    34: u64(34),
    ...changes,
  };
  const present = Object.entries(fields).filter((entry): entry is [string, Bytes] => entry[1] !== undefined);
  return measured(4, ...present.map(([id, value]) => join(u8(Number(id)), measured(4, value))));
}
const extensionField = (id: number, value: Bytes): Bytes => join(u8(id), measured(4, value));
const hello = (extensionBytes: Bytes, channelBytes?: Bytes): readonly Bytes[] => [
  frame(1, 0, routeMesh(extensionBytes, channelBytes)),
];
const inOrder = (...fields: readonly (readonly [id: number, value: Bytes])[]): Bytes =>
  measured(4, ...fields.map(([id, value]) => extensionField(id, value)));
const required = [
  [1, u8(1)],
  [2, u64(33)],
  [6, capabilities("rehome-v1")],
  [8, u32(50)],
  [32, utf8("node-a")],
] as const;

export const admissionFaults: readonly Fault[] = [
  fault(
    "admission-topology-0",
    "0 is no topology.",
    [frame(1, 0, u8(0), u32(0))],
    ["invalid-field", "admission.topology"],
  ),
  fault(
    "admission-topology-2",
    "2 is no topology.",
    [frame(2, 0, u8(2), u32(0))],
    ["invalid-field", "admission.topology"],
  ),
  fault(
    "admission-body-u16",
    "The body's length has four bytes, not two.",
    [frame(1, 0, u8(1), u16(4), u32(0))],
    ["truncated-field"],
  ),
  fault(
    "admission-channels-unsorted",
    "Channels that are not sorted.",
    hello(extension(), channels(["b", 1], ["a", 1])),
    ["invalid-field"],
  ),
  fault("admission-channels-twice", "A channel twice.", hello(extension(), channels(["a", 1], ["a", 2])), [
    "invalid-field",
  ]),
  fault(
    "admission-channels-utf16-order",
    "Sorted as UTF-16, not by bytes: U+1F600 before U+FF61.",
    hello(extension(), channels(["\u{1f600}", 1], ["\uff61", 1])),
    ["invalid-field"],
  ),
  fault(
    "admission-channels-longer-first",
    "A name before the shorter one that it begins with.",
    hello(extension(), channels(["aa", 1], ["a", 1])),
    ["invalid-field"],
  ),
  fault("admission-channel-weight-101", "A weight of 101.", hello(extension(), channels(["a", 101])), [
    "invalid-field",
  ]),
  fault("admission-channel-name-empty", "A channel without a name.", hello(extension(), join(u16(1), u8(0), u32(1))), [
    "invalid-field",
  ]),
  fault(
    "admission-channel-count-65535",
    "65,535 channels are counted, none is there.",
    [frame(1, 0, u8(1), measured(4, text8("arena"), text8("node-a"), u64(31), u64(32), text16("e"), u16(0xffff)))],
    ["truncated-field"],
  ),
  ...required.map(([id]) =>
    fault(`admission-without-${id}`, `Extension field ${id} is required.`, hello(extension({ [id]: undefined })), [
      "invalid-field",
    ]),
  ),
  fault("admission-empty-extension", "An extension of length 0: what is required is not there.", hello(u32(0)), [
    "invalid-field",
  ]),
  fault("admission-owner-without-lease", "33 without 34.", hello(extension({ 34: undefined })), ["invalid-field"]),
  fault("admission-lease-without-owner", "34 without 33.", hello(extension({ 33: undefined })), ["invalid-field"]),
  fault(
    "admission-fields-descending",
    "Extension fields that are not in ascending order.",
    hello(inOrder(required[1], required[0], ...required.slice(2))),
    ["invalid-field"],
  ),
  fault("admission-field-twice", "A field twice.", hello(inOrder(required[0], required[0], ...required.slice(1))), [
    "invalid-field",
  ]),
  fault(
    "admission-unknown-twice",
    "An unknown field twice.",
    hello(inOrder(...required, [40, bytes()], [40, bytes()])),
    ["invalid-field"],
  ),
  fault(
    "admission-unknown-descending",
    "Unknown fields out of order.",
    hello(inOrder(...required, [41, bytes(1)], [40, bytes(1)])),
    ["invalid-field"],
  ),
  fault(
    "admission-unknown-out-of-place",
    "An unknown field behind a known one of a higher id.",
    hello(inOrder(required[0], required[1], required[2], [7, bytes(1)], [5, bytes(1)], ...required.slice(3))),
    ["invalid-field"],
  ),
  fault(
    "admission-unknown-too-long",
    "An unknown field that says more than the extension holds: its length is checked though its value is not.",
    hello(measured(4, ...required.map(([id, value]) => extensionField(id, value)), u8(40), u32(5), bytes(1, 2, 3, 4))),
    ["truncated-field"],
  ),
  fault(
    "admission-unknown-4g",
    "An unknown field of 4 GiB − 1.",
    hello(measured(4, ...required.map(([id, value]) => extensionField(id, value)), u8(40), u32(0xffff_ffff))),
    ["truncated-field"],
  ),
  fault(
    "admission-field-header-cut",
    "The extension ends within the header of a field.",
    hello(measured(4, ...required.map(([id, value]) => extensionField(id, value)), u8(40), u16(0))),
    ["truncated-field"],
  ),
  fault(
    "admission-extension-long",
    "An extension longer than the body around it.",
    hello(join(number(4, 4096), ...required.map(([id, value]) => extensionField(id, value)))),
    ["truncated-field"],
  ),
  fault(
    "admission-extension-short",
    "An extension that ends within its last field.",
    [frame(1, 0, routeMesh(join(number(4, extension().length - 5), extension().subarray(4))))],
    ["truncated-field"],
  ),
  fault(
    "admission-behind-extension",
    "A byte behind the extension, within the body.",
    hello(join(extension(), u8(0))),
    ["trailing-byte"],
  ),
  fault("admission-behind-body", "A byte behind the body.", [join(hello(extension())[0]!, u8(0))], ["trailing-byte"]),
  fault("admission-state-5", "5 is no runtimeState.", hello(extension({ 1: u8(5) })), [
    "invalid-field",
    "admission.runtimeState",
  ]),
  fault("admission-state-two-bytes", "A runtimeState of two bytes.", hello(extension({ 1: bytes(1, 0) })), [
    "trailing-byte",
  ]),
  fault("admission-state-no-byte", "A runtimeState of no byte.", hello(extension({ 1: bytes() })), ["truncated-field"]),
  fault("admission-version-2p63", "An applicationVersion of 2^63.", hello(extension({ 2: u64(2n ** 63n) })), [
    "invalid-field",
    "admission.applicationVersion",
  ]),
  fault("admission-version-four-bytes", "An applicationVersion of four bytes.", hello(extension({ 2: u32(33) })), [
    "truncated-field",
  ]),
  fault(
    "admission-capabilities-unsorted",
    "Capabilities that are not sorted.",
    hello(extension({ 6: capabilities("rehome-v1", "other") })),
    ["invalid-field"],
  ),
  fault(
    "admission-capabilities-twice",
    "A capability twice.",
    hello(extension({ 6: capabilities("rehome-v1", "rehome-v1") })),
    ["invalid-field"],
  ),
  fault(
    "admission-capabilities-count",
    "Two capabilities are counted, one is there.",
    hello(extension({ 6: join(u16(2), text8("rehome-v1")) })),
    ["truncated-field"],
  ),
  fault(
    "admission-capabilities-more",
    "One capability is counted, two are there.",
    hello(extension({ 6: join(u16(1), text8("rehome-v1"), text8("x")) })),
    ["trailing-byte"],
  ),
  fault("admission-capability-empty", "A capability of length 0.", hello(extension({ 6: join(u16(1), u8(0)) })), [
    "invalid-field",
  ]),
  fault("admission-weight-101", "A placementWeight of 101.", hello(extension({ 8: u32(101) })), [
    "invalid-field",
    "admission.placementWeight",
  ]),
  fault("admission-rid-empty", "A nodeRid of no byte.", hello(extension({ 32: bytes() })), [
    "invalid-field",
    "admission.nodeRid",
  ]),
  fault("admission-rid-256", "A nodeRid of 256 bytes.", hello(extension({ 32: utf8("r".repeat(256)) })), [
    "invalid-field",
    "admission.nodeRid",
  ]),
  fault("admission-owner-empty", "An ownerId of no byte.", hello(extension({ 33: bytes() })), [
    "invalid-field",
    "admission.ownerId",
  ]),
  fault("admission-owner-256", "An ownerId of 256 bytes.", hello(extension({ 33: utf8("o".repeat(256)) })), [
    "invalid-field",
    "admission.ownerId",
  ]),
  fault("admission-owner-nul", "NUL in an ownerId.", hello(extension({ 33: utf8("a\0") })), [
    "invalid-field",
    "admission.ownerId",
  ]),
  fault("admission-owner-ill-formed", "An ownerId that is not UTF-8.", hello(extension({ 33: bytes(0xff) })), [
    "invalid-field",
    "admission.ownerId",
  ]),
  fault("admission-lease-0", "An ownerLeaseGeneration of 0.", hello(extension({ 34: u64(0) })), [
    "invalid-field",
    "admission.ownerLeaseGeneration",
  ]),
];

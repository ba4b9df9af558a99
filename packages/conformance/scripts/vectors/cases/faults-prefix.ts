/** Faults in the prefix, and too many or too few frames. */
import { bytes, frame, metadata, rid, text8, u32, u64, u8 } from "../bytes.ts";
import { fault, actorFence, payload, send, lookup, type Fault } from "./faults.ts";

export const prefixFaults: readonly Fault[] = [
  fault("prefix-no-frame", "A record without a frame: checked first.", [], ["frame-count"]),
  fault("prefix-empty-frame", "A frame without a byte.", [bytes()], ["truncated-field"]),
  fault(
    "prefix-empty-frame-and-payload",
    "An empty frame 0 comes before what stands behind it.",
    [bytes(), payload],
    ["truncated-field"],
  ),
  fault("prefix-magic-only", "The magic, and the end.", [bytes(0x5a, 0x4d)], ["truncated-field"]),
  fault(
    "prefix-magic-first-byte",
    "The first byte of the magic is another.",
    [bytes(0x5b, 0x4d, 1, 5, 0, 0, 0, 0, 0, 0, 0, 0, 1)],
    ["invalid-magic"],
  ),
  fault(
    "prefix-magic-second-byte",
    "The second byte of the magic is another.",
    [bytes(0x5a, 0x4c, 1, 5, 0, 0, 0, 0, 0, 0, 0, 0, 1)],
    ["invalid-magic"],
  ),
  fault(
    "prefix-magic-swapped",
    "The bytes of the magic in the other order.",
    [bytes(0x4d, 0x5a, 1, 5, 0, 0, 0, 0, 0, 0, 0, 0, 1)],
    ["invalid-magic"],
  ),
  fault(
    "prefix-magic-before-missing",
    "A wrong magic and nothing behind it: the magic is read first.",
    [bytes(0, 0)],
    ["invalid-magic"],
  ),
  fault("prefix-major-0", "Major 0.", [bytes(0x5a, 0x4d, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 1)], ["unsupported-major"]),
  fault("prefix-major-2", "Major 2.", [bytes(0x5a, 0x4d, 2, 5, 0, 0, 0, 0, 0, 0, 0, 0, 1)], ["unsupported-major"]),
  fault(
    "prefix-major-before-missing",
    "Another major and nothing behind it.",
    [bytes(0x5a, 0x4d, 2)],
    ["unsupported-major"],
  ),
  fault(
    "prefix-command-before-missing",
    "An unknown command and nothing behind it.",
    [bytes(0x5a, 0x4d, 1, 9)],
    ["unknown-command"],
  ),
  fault(
    "prefix-order-magic",
    "Wrong magic, major, command and flags: the magic wins.",
    [bytes(0x5a, 0x4e, 9, 9, 0xff)],
    ["invalid-magic"],
  ),
  fault(
    "prefix-order-major",
    "Wrong major, command and flags: the major wins.",
    [bytes(0x5a, 0x4d, 9, 9, 0xff)],
    ["unsupported-major"],
  ),
  fault(
    "prefix-order-command",
    "An unknown command with flags: the command wins.",
    [bytes(0x5a, 0x4d, 1, 9, 0xff)],
    ["unknown-command"],
  ),
  fault(
    "prefix-order-flags",
    "A forbidden flag and no body: the flag wins.",
    [bytes(0x5a, 0x4d, 1, 5, 1)],
    ["forbidden-flag"],
  ),
  fault("prefix-flags-before-field", "A forbidden flag and a bad field.", [frame(5, 8, u64(0))], ["forbidden-flag"]),
  fault(
    "prefix-flags-before-frames",
    "A forbidden flag and the frame that it would announce.",
    [frame(5, 1, u64(1)), metadata(["k", "v"])],
    ["forbidden-flag"],
  ),
  fault(
    "prefix-one-of-two-flags",
    "24 with boundSession alone, with the session tail that both would announce.",
    [send(2, rid("session"), u64(6), u64(41)), payload],
    ["forbidden-flag"],
  ),
  fault(
    "prefix-other-of-two-flags",
    "25 with sourceSpotId alone.",
    [frame(25, 4, u64(1), u64(0), u64(1), u8(0), u8(0), actorFence), payload],
    ["forbidden-flag"],
  ),
];

export const frameFaults: readonly Fault[] = [
  fault(
    "frames-metadata-missing",
    "The flag is set, and there is neither metadata nor payload.",
    [send(1)],
    ["frame-count"],
  ),
  fault(
    "frames-payload-missing",
    "The metadata is there, the payload is not.",
    [send(1), metadata(["k", "v"])],
    ["frame-count"],
  ),
  fault(
    "frames-payload-twice",
    "A payload too many on a command that needs one.",
    [send(0), payload, payload],
    ["frame-count"],
  ),
  fault(
    "frames-payload-forbidden",
    "A payload on a command that has none.",
    [lookup(u64(1), text8("a")), payload],
    ["frame-count"],
  ),
  fault(
    "frames-empty-forbidden",
    "An empty frame counts as one.",
    [lookup(u64(1), text8("a")), bytes()],
    ["frame-count"],
  ),
  fault(
    "frames-optional-twice",
    "Two payloads where one is optional.",
    [frame(20, 0, u64(1), u32(0), u32(0)), payload, payload],
    ["frame-count"],
  ),
  fault(
    "frames-optional-empty",
    "An optional payload that is there, but empty: it is read, and its version is missing.",
    [frame(20, 0, u64(1), u32(0), u32(0)), bytes()],
    ["truncated-field"],
  ),
];

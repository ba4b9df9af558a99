/** Faults in frozen records. */
import { bytes, frame, join, measured, metadata, text8, u16, u32, u64, u8, union16, type Bytes } from "../bytes.ts";
import { fault, relocation, coordinator, target, object, payload, type Fault } from "./faults.ts";

const nodeSource = union16(1, target);
const data = (...record: readonly Bytes[]): readonly Bytes[] => [
  frame(31, 0, relocation, u64(21), coordinator, u8(1), object, ...record),
];
const noRoute = u16(0);
const aRoute = measured(2, u64(73));
const oneWay = join(u8(0), u64(0), u64(0), u32(0), noRoute);

export const frozenFaults: readonly Fault[] = [
  ...[0, 8, 11, 255].map((kind) =>
    fault(`frozen-kind-${kind}`, `${kind} is no kind of frozen record.`, data(u8(kind), nodeSource, oneWay, payload), [
      "invalid-field",
      "record.recordKind",
    ]),
  ),
  fault(
    "frozen-request-without-operation",
    "The operation of a request is not all zero.",
    data(u8(2), nodeSource, u8(0), u64(0), u64(0), u32(1), aRoute, payload),
    ["invalid-field", "record.operation"],
  ),
  ...(
    [
      [2, 0],
      [2, 2],
      [2, 4],
      [4, 1],
      [6, 4],
      [6, 12],
      [10, 3],
      [10, 7],
      [1, 1],
      [3, 2],
      [5, 3],
      [7, 3],
      [9, 4],
    ] as const
  ).map(([kind, operation]) =>
    fault(
      `frozen-kind-${kind}-operation-${operation}`,
      `Operation kind ${operation} is not that of record kind ${kind}.`,
      data(u8(kind), nodeSource, u8(0), u64(61), u64(62), u32(operation)),
      ["invalid-field", "record.operationKind"],
    ),
  ),
  fault(
    "frozen-send-with-route",
    "A one-way record has no reply route: its eight bytes are too many.",
    data(u8(1), nodeSource, u8(0), u64(0), u64(0), u32(0), aRoute, payload),
    ["trailing-byte"],
  ),
  fault(
    "frozen-request-without-route",
    "A request's reply route is missing: its body has no byte.",
    data(u8(2), nodeSource, u8(0), u64(61), u64(62), u32(1), noRoute, payload),
    ["truncated-field"],
  ),
  fault(
    "frozen-route-0",
    "A reply route of 0.",
    data(u8(2), nodeSource, u8(0), u64(61), u64(62), u32(1), measured(2, u64(0)), payload),
    ["invalid-field", "record.replyRouteId"],
  ),
  fault(
    "frozen-route-nine-bytes",
    "A reply route of nine bytes.",
    data(u8(2), nodeSource, u8(0), u64(61), u64(62), u32(1), measured(2, u64(73), u8(0)), payload),
    ["trailing-byte"],
  ),
  fault("frozen-source-5", "5 is no kind of source.", data(u8(1), union16(5, target), oneWay, payload), [
    "invalid-field",
    "record.source.kind",
  ]),
  fault(
    "frozen-source-of-other",
    "The body of a node where that of a spot is due.",
    data(u8(1), union16(2, target), oneWay, payload),
    ["truncated-field"],
  ),
  fault(
    "frozen-source-trailing",
    "The body of a spot where that of a node is due.",
    data(u8(1), union16(1, target, text8("spot-1")), oneWay, payload),
    ["trailing-byte"],
  ),
  fault(
    "frozen-metadata-1025",
    "Metadata of 1,025 bytes within a frozen record.",
    data(u8(1), nodeSource, u8(1), metadata(["k", "v".repeat(1019)]), u64(0), u64(0), u32(0), noRoute, payload),
    ["invalid-field"],
  ),
  fault(
    "frozen-metadata-key-twice",
    "A key twice within a frozen record.",
    data(u8(1), nodeSource, u8(1), metadata(["k", "1"], ["k", "2"]), u64(0), u64(0), u32(0), noRoute, payload),
    ["invalid-field"],
  ),
  fault(
    "frozen-metadata-version",
    "Metadata of version 2 within a frozen record.",
    data(u8(1), nodeSource, u8(1), bytes(2, 0), u64(0), u64(0), u32(0), noRoute, payload),
    ["invalid-field"],
  ),
  fault(
    "frozen-metadata-unannounced",
    "Metadata that no bool announces: its first bytes are taken for the operation.",
    data(u8(2), nodeSource, u8(0), metadata(["k", "v"]), u64(61), u64(62), u32(1), aRoute, payload),
    ["invalid-field"],
  ),
  fault(
    "frozen-payload-version",
    "A payload of version 2 within a frozen record.",
    data(u8(1), nodeSource, oneWay, join(u8(2), payload.subarray(1))),
    ["invalid-field"],
  ),
  fault(
    "frozen-without-payload",
    "The payload of a frozen record is missing: it is part of the frame.",
    data(u8(1), nodeSource, oneWay),
    ["truncated-field"],
  ),
  fault(
    "frozen-payload-as-frame",
    "Its payload in a frame of its own.",
    [...data(u8(1), nodeSource, oneWay), payload],
    ["truncated-field"],
  ),
  fault("frozen-trailing", "A byte behind a frozen record.", data(u8(1), nodeSource, oneWay, payload, u8(0)), [
    "trailing-byte",
  ]),
];

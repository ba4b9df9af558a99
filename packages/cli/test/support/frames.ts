/** A 42, `docs/wire.md` section 3, laid out by hand. */
export const seal =
  "5a4d012a00000000000000000700000000000000090b636f6f7264696e61746f72000000000000000306736f757263650000000000000002000973746f72652d76313701076163746f722d31000000000000000506736f757263650000000000000002000000000000000b000000000000000d06736f7572636500000000000000020d73657373696f6e2d6f776e657200000000000000080773657373696f6e0000000000000006";

/** A 26 of correlation 7 for `actor-1`. */
export const lookup = "5a4d011a000000000000000007076163746f722d31";

/** A 24 with metadata and a payload of three bytes, as its three frames. */
export const send = [
  `5a4d011801${"00".repeat(16)}00${"00"}${"0161"}${"0000000000000005"}${"0173"}${"0000000000000002"}${"000000000000000b"}${"000000000000000d"}`,
  "010103666f6f0003626172",
  payload("6869", "746578742f706c61696e", "010203"),
];

function payload(name: string, type: string, data: string): string {
  const text8 = (hex: string): string => (hex.length / 2).toString(16).padStart(2, "0") + hex;
  const body = text8(name) + text8(type) + (data.length / 2).toString(16).padStart(8, "0") + data;
  return `01${(body.length / 2).toString(16).padStart(8, "0")}${body}`;
}

/** A 20 that answers a `streamBind`. */
export const bound = `5a4d011400${"0000000000000009"}0000000000000000${"0000000000000005"}${"0000000000000006"}`;

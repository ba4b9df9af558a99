/** Changes that bytes suffer: what a faulty peer, a hostile one, or a cosmic ray would make of them. */
import type { SeededRandom } from "./random.ts";

/** Changes of one input. Few: a frame that is wrong in ten places is refused for the first. */
const maxChanges = 4;
/** Bytes that a change puts in at most; claims of length come larger. */
const maxInserted = 12;
/** Frames that an input has at most: more of them says nothing new. */
const maxFrames = 6;

const edges = [0, 1, 2, 3, 8, 9, 0x7f, 0x80, 0xc0, 0xed, 0xf4, 0xfe, 0xff] as const;
/** Big-endian numbers at the ends of their ranges, as hex: lengths, counts, generations. */
const numbers = [
  "0000",
  "ffff",
  "00000000",
  "00000001",
  "ffffffff",
  "04000000",
  "04000001",
  "0000000000000000",
  "0000000000000001",
  "7fffffffffffffff",
  "8000000000000000",
  "ffffffffffffffff",
].map((hex) => Uint8Array.from(hex.match(/../g)!, (digits) => Number.parseInt(digits, 16)));

type Change = (bytes: Uint8Array, random: SeededRandom, other: Uint8Array) => Uint8Array;

const changes: readonly Change[] = [
  (bytes, random) => written(bytes, random, (byte) => byte ^ (1 << random.below(8))),
  (bytes, random) => written(bytes, random, () => random.of(edges)),
  (bytes, random) => written(bytes, random, (byte) => byte + 1),
  (bytes, random) => written(bytes, random, (byte) => byte - 1),
  (bytes, random) => written(bytes, random, () => random.next()),
  (bytes, random) => bytes.slice(0, random.below(bytes.length + 1)),
  (bytes, random) => {
    const at = random.below(bytes.length + 1);
    return spliced(bytes, at, random.below(maxInserted), new Uint8Array(0));
  },
  (bytes, random) => {
    const inserted = Uint8Array.from({ length: 1 + random.below(maxInserted) }, () => random.of(edges));
    return spliced(bytes, random.below(bytes.length + 1), 0, inserted);
  },
  (bytes, random) => {
    const number = random.of(numbers);
    return spliced(bytes, random.below(bytes.length + 1), number.length, number);
  },
  // A piece of itself or of another record, over what is there or put in between.
  (bytes, random, other) => {
    const from = random.below(2) === 0 ? bytes : other;
    const start = random.below(from.length + 1);
    const piece = from.slice(start, start + 1 + random.below(64));
    return spliced(bytes, random.below(bytes.length + 1), random.below(2) * piece.length, piece);
  },
];

/** `bytes` with one to a few changes; `other` lends pieces. */
export function mutateBytes(bytes: Uint8Array, other: Uint8Array, random: SeededRandom): Uint8Array {
  let changed = bytes;
  for (let left = 1 + random.below(maxChanges); left > 0; left--) changed = random.of(changes)(changed, random, other);
  return changed;
}

/** As {@link mutateBytes}, for a record; now and then it is its frames that are changed and not their bytes. */
export function mutateFrames(
  frames: readonly Uint8Array[],
  other: readonly Uint8Array[],
  random: SeededRandom,
): Uint8Array[] {
  const changed = [...frames];
  const strange = random.of(other);
  const at = random.below(changed.length);
  switch (random.below(32)) {
    case 0:
      changed.splice(at, 1);
      return changed;
    case 1:
      changed.splice(at, random.below(2), strange);
      return changed.slice(0, maxFrames);
    case 2:
      return changed.reverse();
    default:
      changed[at] = mutateBytes(changed[at]!, strange, random);
      return changed;
  }
}

function written(bytes: Uint8Array, random: SeededRandom, change: (byte: number) => number): Uint8Array {
  if (bytes.length === 0) return bytes;
  const copy = bytes.slice();
  const at = random.below(copy.length);
  copy[at] = change(copy[at]!);
  return copy;
}

function spliced(bytes: Uint8Array, at: number, removed: number, inserted: Uint8Array): Uint8Array {
  const rest = bytes.subarray(Math.min(at + removed, bytes.length));
  const whole = new Uint8Array(at + inserted.length + rest.length);
  whole.set(bytes.subarray(0, at));
  whole.set(inserted, at);
  whole.set(rest, at + inserted.length);
  return whole;
}

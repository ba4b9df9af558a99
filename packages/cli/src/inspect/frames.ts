import { bytesFromHex } from "@rehome/wire";
import { CliError } from "../errors.ts";
import { safeText } from "../show.ts";

/** How much of what is not hex an error repeats. */
const maxEchoCharacters = 40;

/**
 * The frames in a text: hex of either case, one frame after the other with blanks, line ends or commas between them. Where
 * every word is one byte, as dumps write it, the words are one frame: no frame is that short. Throws {@link CliError}
 * `usage`.
 */
export function framesIn(text: string): Uint8Array[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  if (words.length === 0) throw new CliError("usage", "there is no hex to inspect");
  const frames = words.map((word, index) => {
    const bytes = bytesFromHex(word.toLowerCase());
    if (bytes !== undefined) return bytes;
    throw new CliError(
      "usage",
      `frame ${index} is not hex, two digits a byte: "${safeText(word, maxEchoCharacters)}"${oddHint(word)}`,
    );
  });
  if (frames.length > 1 && frames.every((frame) => frame.length === 1)) {
    return [Uint8Array.from(frames, (frame) => frame[0]!)];
  }
  return frames;
}

function oddHint(word: string): string {
  const stray = /[^0-9a-f]/i.exec(word);
  if (stray === null) return ` has ${word.length} digits`;
  return ` has "${safeText(stray[0], 1)}" at character ${stray.index}`;
}

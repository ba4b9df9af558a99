/** How values and bytes that came from outside are shown in a terminal. */
import { bytesFromHex, hexFromBytes } from "@rehome/wire";

/** Control, format and unassigned characters, lone surrogates, and the two that end a line: what a terminal would act on. */
const unsafe = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Text with nothing in it that a terminal acts on, cut to `maxCharacters`. */
export function safeText(text: string, maxCharacters: number): string {
  // Cut first: what is hostile may also be long. The escapes come on top.
  const cut = text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text;
  return cut.replace(unsafe, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** Bytes as hex with a space between them. */
export function spacedHex(bytes: Uint8Array): string {
  return hexFromBytes(bytes).replace(/..(?=.)/g, "$& ");
}

/** The bytes of canonical hex: lowercase, two digits a byte. */
export function canonicalBytes(hex: unknown): Uint8Array | undefined {
  return typeof hex === "string" ? bytesFromHex(hex) : undefined;
}

/** `1 byte`, `2 bytes`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

import type { X509Certificate } from "node:crypto";
import { ridFromBytes, ridToBytes } from "@rehome/wire";
import type { ProvenIdentity } from "../byte-stream.ts";

const PREFIX = "rehome://";
const PART = "((?:[A-Za-z0-9._~-]|%[0-9A-F]{2})+)";
const URI = new RegExp(`^${PREFIX}${PART}/${PART}$`);
/** Of a mesh's name and of a rid (`wire.md` 1). */
const MAX_PART_BYTES = 255;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The name of a node in its certificate: `rehome://mesh/rid` (`docs/transport.md` 8). */
export function identityUri({ meshName, nodeRid }: ProvenIdentity): string {
  return `${PREFIX}${percentEncode(new TextEncoder().encode(meshName))}/${percentEncode(ridToBytes(nodeRid))}`;
}

/** `undefined` for anything that {@link identityUri} would not have written, byte for byte. */
export function parseIdentityUri(uri: string): ProvenIdentity | undefined {
  const match = URI.exec(uri);
  if (match === null) return undefined;
  const mesh = percentDecode(match[1]!);
  const rid = percentDecode(match[2]!);
  if (mesh.length > MAX_PART_BYTES || rid.length > MAX_PART_BYTES) return undefined;
  let identity: ProvenIdentity;
  try {
    identity = { meshName: utf8.decode(mesh), nodeRid: ridFromBytes(rid) };
  } catch {
    return undefined;
  }
  return identityUri(identity) === uri ? identity : undefined;
}

/** The node that a certificate names, or why it names none. */
export function identityIn(certificate: X509Certificate): ProvenIdentity | { readonly problem: string } {
  const names = certificate.subjectAltName ?? "";
  // Names with special characters are quoted in this text. Those of nodes never are, and nothing shall pass for one.
  if (names.includes('"')) return { problem: "its alternative names hold special characters" };
  const uris = names.split(", ").filter((name) => name.startsWith(`URI:${PREFIX}`));
  if (uris.length !== 1) return { problem: `it has ${uris.length} names of the form ${PREFIX}mesh/rid instead of one` };
  return parseIdentityUri(uris[0]!.slice("URI:".length)) ?? { problem: "its name is no proper rehome://mesh/rid" };
}

function percentEncode(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    text += /[A-Za-z0-9._~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return text;
}

function percentDecode(text: string): Uint8Array {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] !== "%") {
      bytes.push(text.charCodeAt(at));
      continue;
    }
    bytes.push(Number.parseInt(text.slice(at + 1, at + 3), 16));
    at += 2;
  }
  return Uint8Array.from(bytes);
}

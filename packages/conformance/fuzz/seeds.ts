/** What is mutated: the shipped vectors' sound cases, and a few large ones that would show work that grows too fast. */
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  commandIds,
  encodeDurable,
  encodeRecord,
  fromJson,
  type CommandName,
  type DurableEnvelope,
  type OperationKind,
} from "@rehome/wire";
import { bytesFromHex } from "@rehome/wire";
import { loadVectorFile, type JsonObject } from "@rehome/conformance/vectors";

export interface RecordSeed {
  readonly id: string;
  readonly command: CommandName;
  readonly value: JsonObject;
  readonly frames: readonly Uint8Array[];
  readonly operation: OperationKind | undefined;
}

export interface Seeds {
  /** By command, so that each is tried as often as any other. */
  readonly records: ReadonlyMap<CommandName, readonly RecordSeed[]>;
  readonly large: readonly RecordSeed[];
  readonly durables: readonly Uint8Array[];
  readonly keys: readonly string[];
}

/** A case of more bytes only takes longer: the large ones are tried on their own, and rarely. */
const maxSmallBytes = 2000;

/** From the folder with the vector files. Throws if a command of the wire is in none of them. */
export function readSeeds(folder: URL): Seeds {
  const path = fileURLToPath(folder);
  const records = new Map<CommandName, RecordSeed[]>();
  const durables: Uint8Array[] = [];
  const keys: string[] = [];
  for (const name of readdirSync(path)
    .filter((file) => /^(?:commands|durable|keys)\b.*\.json$/.test(file))
    .sort()) {
    const file = loadVectorFile(readFileSync(path + name, "utf8"));
    if (file.family === "commands") for (const entry of file.valid) addRecord(records, entry);
    if (file.family === "durable") durables.push(...file.valid.map(({ hex }) => bytesFromHex(hex)!));
    if (file.family === "keys") keys.push(...file.authorityKeys.map(({ key }) => key));
  }
  const missing = Object.keys(commandIds).filter((command) => !records.has(command as CommandName));
  if (missing.length > 0) throw new Error(`no vectors of ${missing.join(", ")} in ${path}`);
  return { records, large: largeRecords(), durables: [...durables, encodeDurable(largeManifest())], keys };
}

function addRecord(
  records: Map<CommandName, RecordSeed[]>,
  entry: {
    readonly id: string;
    readonly value: JsonObject;
    readonly frames: readonly string[];
    readonly operation?: string;
  },
): void {
  const frames = entry.frames.map((frame) => bytesFromHex(frame)!);
  if (frames.reduce((sum, { length }) => sum + length, 0) > maxSmallBytes) return;
  const command = entry.value["command"] as CommandName;
  const operation = entry.operation as OperationKind | undefined;
  const seeds = records.get(command) ?? [];
  records.set(command, [...seeds, { id: entry.id, command, value: entry.value, frames, operation }]);
}

function largeRecords(): RecordSeed[] {
  const channels = Array.from({ length: 3000 }, (_, index) => ({ name: `channel-${10_000 + index}`, weight: 1 }));
  const known = new Set([1, 2, 6, 8, 32, 33, 34]);
  const unknown = Array.from({ length: 256 }, (_, id) => [id, "00".repeat(40)] as const).filter(
    ([id]) => !known.has(id),
  );
  const protocolCapabilities = Array.from({ length: 3000 }, (_, index) => `capability-${10_000 + index}`);
  const admission = {
    topology: "routeMesh",
    meshName: "mesh",
    securityIdentity: "identity",
    lifecycleGeneration: "1",
    descriptorRevision: "1",
    advertisedEndpoint: "tcp://node:1",
    channels,
    runtimeState: "serving",
    applicationVersion: "1",
    protocolCapabilities,
    placementWeight: 50,
    nodeRid: "node",
    unknown,
  };
  const fence = {
    actor: { actorId: "actor", objectGeneration: "1" },
    nodeRid: "node",
    nodeGeneration: "1",
    authorityOwnerGeneration: "1",
    ownerLeaseGeneration: "1",
  };
  const metadata = Array.from({ length: 140 }, (_, index) => [`k${index}`, ""]);
  const payload = { packetName: "packet", contentType: "text/plain", data: "61".repeat(65_536) };
  const operation = { high: "1", low: "1" };
  return [
    { command: "hello", admission },
    { command: "actorSend", operation, hopCount: 0, target: fence, metadata, payload },
  ].map((json) => {
    const value = json as unknown as JsonObject;
    const frames = encodeRecord(fromJson(value));
    return { id: `large-${json.command}`, command: json.command as CommandName, value, frames, operation: undefined };
  });
}

function largeManifest(): DurableEnvelope {
  const chunks = Array.from({ length: 1000 }, (_, order) => {
    return { order, reference: `chunk/${order}`, length: 1n, checksumCrc32c: 0 };
  });
  const [totalLength, totalChecksumCrc32c] = [1000n, 0];
  const inventoryDigestSha256 = new Uint8Array(32);
  return {
    magic: "ZLTM",
    logicalFormatVersion: 1,
    totalLength,
    totalChecksumCrc32c,
    inventoryDigestSha256,
    chunks,
  };
}

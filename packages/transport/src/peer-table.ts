import type { Rid } from "@rehome/wire";
import type { Dialer } from "./dialer.ts";
import type { Link } from "./link.ts";

/** All that a transport knows of one node. */
export interface PeerEntry {
  readonly nodeRid: Rid;
  /** The newest run of it that was proven or that the store named; older ones are refused. */
  knownGeneration: bigint;
  link: Link | undefined;
  /** What this node's hellos call a new link, the same until there is one: so an answer that gets lost loses no link. */
  proposedLinkId: Uint8Array | undefined;
  /** Set while somebody wants a link to it. */
  dialer: Dialer | undefined;
}

/** Nodes that are gone are remembered, so that an older run of one cannot come back: far more than a mesh has. */
const MAX_ENTRIES = 4_096;

export class PeerTable {
  private readonly entries = new Map<Rid, PeerEntry>();
  private links = 0;

  get linkCount(): number {
    return this.links;
  }

  find(nodeRid: Rid): PeerEntry | undefined {
    return this.entries.get(nodeRid);
  }

  findOrAdd(nodeRid: Rid): PeerEntry {
    let entry = this.entries.get(nodeRid);
    if (entry === undefined) {
      if (this.entries.size >= MAX_ENTRIES) this.forgetOldestIdle();
      entry = { nodeRid, knownGeneration: 0n, link: undefined, proposedLinkId: undefined, dialer: undefined };
      this.entries.set(nodeRid, entry);
    }
    return entry;
  }

  setLink(entry: PeerEntry, link: Link | undefined): void {
    if (entry.link !== undefined) this.links -= 1;
    if (link !== undefined) {
      this.links += 1;
      entry.proposedLinkId = undefined;
    }
    entry.link = link;
  }

  all(): readonly PeerEntry[] {
    return [...this.entries.values()];
  }

  private forgetOldestIdle(): void {
    for (const [nodeRid, entry] of this.entries) {
      if (entry.link !== undefined || entry.dialer !== undefined) continue;
      this.entries.delete(nodeRid);
      return;
    }
  }
}

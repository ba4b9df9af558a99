/** Stretches that are remembered. One is enough unless messages are refused before the node has numbered them. */
const MAX_STRETCHES = 256;

interface Stretch {
  readonly fromNode: number;
  /** The client's number less the node's. */
  readonly offset: number;
}

/**
 * The node numbers the messages on a binding in its own way; a refusal names that number, and the client knows only
 * its own. Both rise by one with each message, so it is enough to remember where their difference changed.
 */
export class SequenceMap {
  readonly #stretches: Stretch[] = [];

  /** The node gave this number to the client's message. */
  note(client: number, node: number): void {
    const offset = client - node;
    if (this.#stretches.at(-1)?.offset === offset) return;
    this.#stretches.push({ fromNode: node, offset });
    if (this.#stretches.length > MAX_STRETCHES) this.#stretches.shift();
  }

  /** The client's number, or `undefined` for one that was never noted or is forgotten. */
  toClient(node: number): number | undefined {
    for (let at = this.#stretches.length - 1; at >= 0; at--) {
      const { fromNode, offset } = this.#stretches[at]!;
      if (node >= fromNode) return node + offset;
    }
    return undefined;
  }
}

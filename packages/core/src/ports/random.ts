/**
 * Randomness, injected, so that a run can be repeated from its seed.
 *
 * - `bytes(count)` MUST return a fresh array of `count` bytes. For relocation ids, operation ids and session secrets the
 *   production implementation MUST be cryptographically strong.
 */
export interface Random {
  bytes(count: number): Uint8Array;
}

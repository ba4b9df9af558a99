/** A record that could not be delivered, and why. */
export interface ReleaseFailure<T> {
  readonly record: T;
  readonly error: unknown;
}

/**
 * H6: gives every record its turn, in order, and answers with the failures of all of them afterwards. One bad record never
 * blocks the rest.
 */
export function releaseEach<T>(records: readonly T[], deliver: (record: T) => void): readonly ReleaseFailure<T>[] {
  const failures: ReleaseFailure<T>[] = [];
  for (const record of records) {
    try {
      deliver(record);
    } catch (error) {
      failures.push({ record, error });
    }
  }
  return failures;
}

/** The path of `name` inside `path`. */
export function pathOf(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** Less than, equal to or greater than zero, as `left` comes before, equals or comes after `right`, byte by byte. */
export function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const common = Math.min(left.length, right.length);
  for (let index = 0; index < common; index++) {
    const difference = left[index]! - right[index]!;
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

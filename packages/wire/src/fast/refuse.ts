/** What {@link refuse} throws. It never leaves this package, and carries nothing, so that throwing it is cheap. */
const refusal: unique symbol = Symbol("refused");

/**
 * The fast codec's only answer to what it does not accept: the plain codec then looks at it again and either finds the
 * error and its place, or accepts something that is too rare to be fast.
 */
export function refuse(): never {
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- see above: not an error, and not seen by a caller
  throw refusal;
}

/** For building values with optional fields: an interface without its `readonly`s. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

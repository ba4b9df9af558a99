import { TransportError } from "./errors.ts";
import { writeU32 } from "./units.ts";

/** What a challenge is, and what a hello carries for the same purpose: fresh random bytes. */
export const NONCE_BYTES = 32;
export const PROOF_BYTES = 32;

/** Less can be guessed from one recorded handshake, without asking anybody. */
const MIN_SECRET_BYTES = 32;
/** Each one is tried on a wrong proof. A rotation needs two. */
const MAX_SECRETS = 8;

/** Names what is proven and in which role, so that no proof can be turned against whoever made it. */
const DIALLER_LABEL = "rehome transport 1 dialler\0";
const ACCEPTOR_LABEL = "rehome transport 1 acceptor\0";

/** The connection's `securityIdentity` where both ends prove that they know a shared secret and nothing else is proven. */
const SHARED_SECRET = "shared-secret";

export interface SharedSecretOptions {
  /**
   * The first one is what this node proves that it knows; a peer may prove any of them. At least 32 random bytes each.
   */
  readonly secrets: readonly Uint8Array[];
  /** HMAC-SHA-256 (RFC 2104), 32 bytes. Adapters for Node and Bun bring it. */
  readonly hmacSha256: (key: Uint8Array, message: Uint8Array) => Uint8Array;
}

/**
 * Proofs that two nodes know a shared secret (`docs/transport.md` 3.1): who does not is refused before it can have any
 * effect. Nothing is encrypted.
 */
export class Authentication {
  private readonly secrets: readonly Uint8Array[];
  private readonly hmac: SharedSecretOptions["hmacSha256"];

  /** Throws {@link TransportError} `invalidOptions`. The secrets are copied. */
  constructor(options: SharedSecretOptions) {
    const { secrets } = options;
    if (!isArray(secrets)) throw invalid("a list is expected, even of one: an array of Uint8Arrays of random bytes");
    if (secrets.length === 0 || secrets.length > MAX_SECRETS)
      throw invalid(`there must be from 1 to ${MAX_SECRETS} of them, not ${secrets.length}`);
    for (const [index, secret] of secrets.entries()) {
      if (!(secret instanceof Uint8Array)) throw invalid(`secret ${index + 1} is not a Uint8Array`);
      if (secret.length < MIN_SECRET_BYTES)
        throw invalid(
          `secret ${index + 1} has ${secret.length} bytes, at least ${MIN_SECRET_BYTES} random ones are needed ` +
            `(for example from "openssl rand -hex ${MIN_SECRET_BYTES}")`,
        );
    }
    this.secrets = secrets.map((secret) => Uint8Array.from(secret));
    this.hmac = options.hmacSha256;
  }

  /** The `securityIdentity` of connections that an adapter calls by this name. */
  static identityOver(securityIdentity: string): string {
    return securityIdentity === "plain" ? SHARED_SECRET : `${securityIdentity}+${SHARED_SECRET}`;
  }

  /** The dialler's side of one handshake. `hello` is the body of its `open`. */
  asDialler(hello: Uint8Array): DiallerExchange {
    return new DiallerExchange(this, hello);
  }

  /** The acceptor's side. `challenge` is fresh. */
  asAcceptor(hello: Uint8Array, challenge: Uint8Array): AcceptorExchange {
    return new AcceptorExchange(this, hello, challenge);
  }

  /** What the dialler proves its secret with: everything that it says, bound to this challenge. */
  diallerProof(challenge: Uint8Array, hello: Uint8Array, secret = this.secrets[0]!): Uint8Array {
    return this.hmac(secret, join(DIALLER_LABEL, [challenge, hello]));
  }

  /** What the acceptor proves its secret with: everything that both say. */
  acceptorProof(said: Said, secret: Uint8Array): Uint8Array {
    const helloLength = new Uint8Array(4);
    writeU32(helloLength, 0, said.hello.length);
    return this.hmac(secret, join(ACCEPTOR_LABEL, [said.challenge, helloLength, said.hello, said.admit]));
  }

  /** The first of the secrets for which this holds. All are tried, so that time tells nothing. */
  secretFor(proof: Uint8Array, proofWith: (secret: Uint8Array) => Uint8Array): Uint8Array | undefined {
    let found: Uint8Array | undefined;
    for (const secret of this.secrets) if (sameInConstantTime(proof, proofWith(secret))) found ??= secret;
    return found;
  }
}

/** All that was said in a handshake: the bodies of both `open` units and of the `challenge`. */
export interface Said {
  readonly hello: Uint8Array;
  readonly challenge: Uint8Array;
  readonly admit: Uint8Array;
}

export class DiallerExchange {
  private readonly authentication: Authentication;
  private readonly hello: Uint8Array;
  private challenge: Uint8Array | undefined;
  private proof: Uint8Array | undefined;

  constructor(authentication: Authentication, hello: Uint8Array) {
    this.authentication = authentication;
    this.hello = hello;
  }

  /** The body of the `proof` that answers this challenge. */
  answer(challenge: Uint8Array): Uint8Array {
    this.challenge = challenge;
    return this.authentication.diallerProof(challenge, this.hello);
  }

  takeProof(proof: Uint8Array): void {
    this.proof = proof;
  }

  /** Whether the proof that has come covers this admit. */
  covers(admit: Uint8Array): boolean {
    const { authentication, hello, challenge, proof } = this;
    if (challenge === undefined || proof === undefined) return false;
    const said = { hello, challenge, admit };
    return authentication.secretFor(proof, (secret) => authentication.acceptorProof(said, secret)) !== undefined;
  }
}

export class AcceptorExchange {
  readonly challenge: Uint8Array;
  private readonly authentication: Authentication;
  private readonly hello: Uint8Array;
  /** The secret that the dialler has proven. This end proves the same one, because the dialler may know no other. */
  private secret: Uint8Array | undefined;

  constructor(authentication: Authentication, hello: Uint8Array, challenge: Uint8Array) {
    this.authentication = authentication;
    this.hello = hello;
    this.challenge = challenge;
  }

  /** Whether this is the dialler's proof. */
  accepts(proof: Uint8Array): boolean {
    const { authentication, challenge, hello } = this;
    this.secret = authentication.secretFor(proof, (secret) => authentication.diallerProof(challenge, hello, secret));
    return this.secret !== undefined;
  }

  /** The body of the `proof` that goes before this admit. Only after {@link accepts} was true. */
  proofFor(admit: Uint8Array): Uint8Array {
    const { authentication, hello, challenge, secret } = this;
    if (secret === undefined) throw new Error("There is no proof to answer.");
    return authentication.acceptorProof({ hello, challenge, admit }, secret);
  }
}

function join(label: string, parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(label.length + parts.reduce((sum, part) => sum + part.length, 0));
  for (let at = 0; at < label.length; at += 1) bytes[at] = label.charCodeAt(at);
  let at = label.length;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Takes as long for bytes that differ at once as for those that differ in the end. */
function sameInConstantTime(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let at = 0; at < one.length; at += 1) difference |= one[at]! ^ other[at]!;
  return difference === 0;
}

/** Unlike `Array.isArray` it does not make `any` of the elements. */
function isArray(value: unknown): boolean {
  return Array.isArray(value);
}

function invalid(what: string): TransportError {
  return new TransportError("invalidOptions", `Shared secrets: ${what}.`);
}

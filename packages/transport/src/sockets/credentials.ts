import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import type { Clock, LocalIdentity, Log, TimerHandle } from "@rehome/core";
import { TransportError } from "../errors.ts";
import { codeOf } from "./failures.ts";
import { identityIn, identityUri } from "./identity-uri.ts";

/** PEM files. They are read again from time to time, so that certificates can be renewed without a restart. */
export interface TlsFiles {
  /** This node's certificate, followed by those between it and the authority's, if there are any. */
  readonly certFile: string;
  readonly keyFile: string;
  /** The authorities whose certificates are accepted. Only these: none that the system trusts. */
  readonly caFile: string;
  /** How often the files are looked at. Default 10 s. */
  readonly reloadMs?: number;
}

/** What a TLS context is made of. */
export interface Credentials {
  readonly cert: string;
  readonly key: string;
  readonly ca: string;
}

export interface CredentialWatchOptions {
  readonly files: Required<TlsFiles>;
  readonly identity: LocalIdentity;
  readonly clock: Clock;
  readonly log: Log;
}

/** This node's certificate, key and authorities, as the files say now, or said when they last made sense. */
export class CredentialWatch {
  private readonly options: CredentialWatchOptions;
  private onReplaced: (credentials: Credentials) => void = () => {};
  private used: Credentials;
  private lastSeen: Credentials | string;
  private timer: TimerHandle | undefined;
  private stopped = false;

  private constructor(options: CredentialWatchOptions, credentials: Credentials) {
    this.options = options;
    this.used = credentials;
    this.lastSeen = credentials;
  }

  /** Rejects with {@link TransportError} `certificateUnusable`. */
  static async open(options: CredentialWatchOptions): Promise<CredentialWatch> {
    const credentials = await readFiles(options.files);
    checkCredentials(credentials, options);
    return new CredentialWatch(options, credentials);
  }

  /** What new connections use. */
  get current(): Credentials {
    return this.used;
  }

  /** Looks at the files from now on. */
  start(onReplaced: (credentials: Credentials) => void): void {
    this.onReplaced = onReplaced;
    this.arm();
  }

  stop(): void {
    this.stopped = true;
    this.timer?.cancel();
  }

  private arm(): void {
    if (this.stopped) return;
    this.timer = this.options.clock.after(this.options.files.reloadMs, () => void this.look().then(() => this.arm()));
  }

  private async look(): Promise<void> {
    const { files, log } = this.options;
    let seen: Credentials | string | undefined;
    try {
      seen = await readFiles(files);
      if (this.stopped || isSame(seen, this.lastSeen)) return;
      this.lastSeen = seen;
      // Back to what is in use, after an attempt that was none.
      if (isSame(seen, this.used)) return;
      checkCredentials(seen, this.options);
      this.used = seen;
      this.onReplaced(seen);
      log.write("info", "certificate.replaced", { certFile: files.certFile, validTo: leafOf(seen.cert).validTo });
    } catch (error) {
      const reason = (error as Error).message;
      // A file that stays as bad as it is needs to be told of once.
      if (seen === undefined && this.lastSeen === reason) return;
      this.lastSeen = seen ?? reason;
      log.write("warn", "certificate.refused", { reason, goesOnWith: "the files from before" });
    }
  }
}

async function readFiles(files: TlsFiles): Promise<Credentials> {
  const [cert, key, ca] = await Promise.all([
    readPem(files.certFile, "certificate"),
    readPem(files.keyFile, "key"),
    readPem(files.caFile, "authorities"),
  ]);
  return { cert, key, ca };
}

async function readPem(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw unusable(`The ${what} in ${path} cannot be read (${codeOf(error)}).`, error);
  }
}

/** Nothing of the files' contents goes into an error but what a certificate says to everybody. */
function checkCredentials(credentials: Credentials, { files, identity, clock }: CredentialWatchOptions): void {
  let leaf: X509Certificate;
  try {
    leaf = leafOf(credentials.cert);
  } catch {
    throw unusable(`There is no proper certificate in ${files.certFile}.`);
  }
  try {
    if (!leaf.checkPrivateKey(createPrivateKey(credentials.key))) throw new Error("another key");
  } catch {
    throw unusable(`The key in ${files.keyFile} is not that of the certificate in ${files.certFile}.`);
  }
  try {
    leafOf(credentials.ca);
    createSecureContext({ ...credentials });
  } catch {
    throw unusable(`There are no proper certificates of authorities in ${files.caFile}.`);
  }
  const found = identityIn(leaf);
  if ("problem" in found) throw unusable(`The certificate in ${files.certFile} names no node: ${found.problem}.`);
  const [own, named] = [identityUri(identity), identityUri(found)];
  if (own !== named) throw unusable(`The certificate in ${files.certFile} is that of ${named}; this node is ${own}.`);
  const nowMs = clock.unixMs();
  if (nowMs < Date.parse(leaf.validFrom) || nowMs > Date.parse(leaf.validTo))
    throw unusable(`The certificate in ${files.certFile} is valid from ${leaf.validFrom} to ${leaf.validTo} only.`);
}

/** The first certificate of a file: the node's own. Throws if there is none. */
function leafOf(pem: string): X509Certificate {
  return new X509Certificate(pem);
}

function isSame(left: Credentials, right: Credentials | string): boolean {
  if (typeof right === "string") return false;
  return left.cert === right.cert && left.key === right.key && left.ca === right.ca;
}

function unusable(message: string, cause?: unknown): TransportError {
  return new TransportError("certificateUnusable", message, cause === undefined ? undefined : { cause });
}

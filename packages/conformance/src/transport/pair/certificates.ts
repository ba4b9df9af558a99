// Has to come before the library that needs it.
import "reflect-metadata";
import { webcrypto } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";
import type { X509Certificate } from "@peculiar/x509";
import type { TlsFiles } from "./protocol.ts";

const KEY = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 24 * 60 * 60 * 1_000;

/** `dns` and `uri` names of a certificate, and when it is valid: days from now. */
export interface LeafPlan {
  readonly uris?: readonly string[];
  readonly dns?: readonly string[];
  readonly fromDays?: number;
  readonly toDays?: number;
}

/** PEM texts. */
export interface Leaf {
  readonly cert: string;
  readonly key: string;
}

/** An authority of a test, which signs whatever it is asked to. */
export class TestAuthority {
  readonly pem: string;
  private readonly certificate: X509Certificate;
  private readonly key: webcrypto.CryptoKey;

  private constructor(certificate: X509Certificate, key: webcrypto.CryptoKey) {
    this.certificate = certificate;
    this.key = key;
    this.pem = certificate.toString("pem");
  }

  static async make(name: string): Promise<TestAuthority> {
    const keys = await webcrypto.subtle.generateKey(KEY, true, ["sign", "verify"]);
    const certificate = await X509CertificateGenerator.createSelfSigned({
      serialNumber: "01",
      name: `CN=${name}`,
      ...validity(-2, 30),
      signingAlgorithm: KEY,
      keys,
      extensions: [
        new BasicConstraintsExtension(true, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
      ],
    });
    return new TestAuthority(certificate, keys.privateKey);
  }

  async leaf({ uris = [], dns = [], fromDays = -1, toDays = 10 }: LeafPlan): Promise<Leaf> {
    const keys = await webcrypto.subtle.generateKey(KEY, true, ["sign", "verify"]);
    const names = [
      ...dns.map((value) => ({ type: "dns" as const, value })),
      ...uris.map((value) => ({ type: "url" as const, value })),
    ];
    const certificate = await X509CertificateGenerator.create({
      subject: "CN=a node of a test",
      issuer: this.certificate.subject,
      ...validity(fromDays, toDays),
      signingAlgorithm: KEY,
      publicKey: keys.publicKey,
      signingKey: this.key,
      extensions: [
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth, ExtendedKeyUsage.clientAuth]),
        ...(names.length === 0 ? [] : [new SubjectAlternativeNameExtension(names)]),
      ],
    });
    const key = PemConverter.encode(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey), "PRIVATE KEY");
    return { cert: certificate.toString("pem"), key };
  }
}

/** A private directory for certificates. */
export class CertificateFolder {
  private readonly path = mkdtempSync(join(tmpdir(), "rehome-certificates-"));

  private count = 0;

  /** Writes the files of one node. */
  write(leaf: Leaf, authority: string): TlsFiles {
    const base = join(this.path, `${(this.count += 1)}`);
    const files = { certFile: `${base}.pem`, keyFile: `${base}.key`, caFile: `${base}.ca.pem`, reloadMs: 20 };
    this.replace(files, leaf, authority);
    return files;
  }

  replace(files: TlsFiles, leaf: Leaf, authority: string): void {
    writeFileSync(files.certFile, leaf.cert);
    writeFileSync(files.keyFile, leaf.key);
    writeFileSync(files.caFile, authority);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

function validity(fromDays: number, toDays: number): { readonly notBefore: Date; readonly notAfter: Date } {
  const now = Date.now();
  return { notBefore: new Date(now + fromDays * DAY_MS), notAfter: new Date(now + toDays * DAY_MS) };
}

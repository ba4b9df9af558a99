import { PROTOCOL_VERSION, type CloseReason, type FailureCode, type Hello } from "@rehome/client/protocol";
import { Admission } from "./admission.ts";
import type { Connection } from "./connection.ts";
import { LATE, withDeadline } from "./deadline.ts";
import { textOf } from "./failures.ts";
import type { Principal } from "./options.ts";
import { Registry } from "./registry.ts";
import { ClientSession, type SessionHost } from "./session.ts";
import { randomFraction } from "./random-fraction.ts";

/** Nobody guesses 256 random bits. */
const TOKEN_BYTES = 32;
/** When something behind the gateway fails, its clients come again spread over this time. */
const UNAVAILABLE_WAIT_MS = 2_000;
/** When there are too many sessions: some will have expired by then. */
const FULL_WAIT_MS = 10_000;

interface Refusal {
  readonly code: FailureCode;
  readonly text: string;
  readonly reason: CloseReason;
  /** `undefined`: coming again is of no use. */
  readonly retryAfterMs: number | undefined;
}

type Verdict =
  | { readonly principal: Principal; readonly refusal: undefined }
  | { readonly principal: undefined; readonly refusal: Refusal };

/** Answers hellos: lets in, finds out who it is, and gives back the old session or a new one. */
export class Greeter {
  readonly #host: SessionHost;
  readonly #registry: Registry;
  readonly #admission: Admission;

  constructor(host: SessionHost, registry: Registry) {
    this.#host = host;
    this.#registry = registry;
    const { limits, clock } = host.config;
    this.#admission = new Admission(limits.hellosPerSecond, clock.nowMs());
  }

  /** Never rejects. */
  async greet(connection: Connection, hello: Hello): Promise<void> {
    const early = this.#refusalBefore(hello);
    if (early !== undefined) return this.#refuse(connection, early);
    const { principal, refusal } = await this.#authenticate(connection, hello.token);
    // The client may have gone, and the gateway may be closing by now.
    if (!connection.isWaiting) return;
    if (principal === undefined) return this.#refuse(connection, refusal);
    if (this.#host.isClosing()) return this.#refuse(connection, this.#goingAway());
    const old = hello.resume && this.#registry.find(hello.resume.session);
    if (old !== undefined && old.principal.id === principal.id) {
      this.#resume(connection, old, hello.resume!.received);
    } else {
      this.#open(connection, principal);
    }
  }

  /** What can be said without asking the application. */
  #refusalBefore(hello: Hello): Refusal | undefined {
    if (hello.protocolVersion !== PROTOCOL_VERSION) {
      const text = `This gateway speaks version ${PROTOCOL_VERSION}, not ${hello.protocolVersion}.`;
      return { code: "unsupportedVersion", text, reason: "unsupportedVersion", retryAfterMs: undefined };
    }
    if (this.#host.isClosing()) return this.#goingAway();
    const waitMs = this.#admission.ask(this.#host.config.clock.nowMs());
    if (waitMs === 0) return undefined;
    if (hello.resume !== undefined) this.#registry.find(hello.resume.session)?.keepFor(waitMs);
    return { code: "overloaded", text: "Too many clients at once.", reason: "overloaded", retryAfterMs: waitMs };
  }

  async #authenticate(connection: Connection, token: string): Promise<Verdict> {
    const { clock, deadlines, log, authenticate } = this.#host.config;
    try {
      const answer = await withDeadline(clock, deadlines.authenticateMs, () => authenticate(connection.request, token));
      if (answer !== LATE) return verdictOf(answer);
      log.write("error", "gateway.authenticate.late", { authenticateMs: deadlines.authenticateMs });
    } catch (error) {
      log.write("error", "gateway.authenticate.failed", { error: textOf(error) });
    }
    return { principal: undefined, refusal: this.#unavailable() };
  }

  #resume(connection: Connection, session: ClientSession, received: number): void {
    if (session.attach(connection, received, true)) {
      this.#host.counters.sessionsResumed++;
      return;
    }
    session.end("protocolError");
    connection.cut("protocolError", "The session cannot be resumed from there.");
  }

  #open(connection: Connection, principal: Principal): void {
    const { config, counters } = this.#host;
    if (this.#registry.size >= config.limits.maxSessions) {
      const oldest = this.#registry.oldestDetached();
      if (oldest === undefined) {
        const retryAfterMs = this.#spread(FULL_WAIT_MS);
        return this.#refuse(connection, {
          code: "overloaded",
          text: "Too many clients.",
          reason: "overloaded",
          retryAfterMs,
        });
      }
      oldest.end("evicted");
    }
    let session: ClientSession;
    try {
      session = new ClientSession(this.#host, config.random.bytes(TOKEN_BYTES), principal);
    } catch (error) {
      config.log.write("error", "gateway.session.open-failed", { error: textOf(error) });
      return this.#refuse(connection, this.#unavailable());
    }
    this.#registry.add(session);
    counters.sessionsOpened++;
    session.attach(connection, 0, false);
  }

  #refuse(connection: Connection, { code, text, reason, retryAfterMs }: Refusal): void {
    if (!connection.isWaiting) return;
    this.#host.counters.hellosRefused++;
    connection.refuse({ refused: { failure: { code, message: text }, retryAfterMs } }, reason, text);
  }

  #goingAway(): Refusal {
    const retryAfterMs = this.#spread(this.#host.config.deadlines.goingAwaySpreadMs);
    return { code: "goingAway", text: "The gateway is closing.", reason: "goingAway", retryAfterMs };
  }

  #unavailable(): Refusal {
    const text = "Something that the gateway needs does not work now.";
    return { code: "unavailable", text, reason: "overloaded", retryAfterMs: this.#spread(UNAVAILABLE_WAIT_MS) };
  }

  #spread(overMs: number): number {
    return Math.max(1, Math.ceil(randomFraction(this.#host.config.random) * overMs));
  }
}

/** The hook is the application's, maybe plain JavaScript: only a well-formed yes lets anybody in. */
function verdictOf(answer: unknown): Verdict {
  const given = answer as { accept?: unknown; principal?: { id?: unknown }; reason?: unknown } | null | undefined;
  if (given?.accept === true && typeof given.principal?.id === "string") {
    return { principal: given.principal as Principal, refusal: undefined };
  }
  const text = typeof given?.reason === "string" ? given.reason : "The token was not accepted.";
  const refusal = { code: "unauthenticated", text, reason: "unauthenticated", retryAfterMs: undefined } as const;
  return { principal: undefined, refusal };
}

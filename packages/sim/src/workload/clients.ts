import { payloadOf, RuntimeError, valueOf, type Payload, type Session } from "@rehome/runtime";
import type { MessageAccount } from "../check/accounts.ts";
import type { Dice } from "../random.ts";
import type { Cluster, Run } from "../world/cluster.ts";
import type { Trace } from "../world/trace.ts";
import { ACTOR_TYPE, settleRequest, type Order, type Verb } from "./actor.ts";

/** A client's binding to one actor, as the client accounts for it. */
export interface BindingAccount {
  readonly name: string;
  readonly actorId: string;
  readonly sessionRid: string;
  /** Which of the client's connections it belongs to. */
  readonly connection: number;
  readonly boundAtMs: number;
  state: "bound" | "ended" | "lost";
  endedAtMs: number;
  /** One-way messages by the ticket that the gateway knows them by. */
  readonly tickets: Map<bigint, MessageAccount>;
  readonly requests: Set<MessageAccount>;
  readonly lastPush: Map<number, number>;
}

/** Calls that have not settled. They must, as long as the node that was called lives. */
export class OpenCalls {
  readonly #open = new Map<number, { readonly run: Run; readonly what: string; readonly atMs: number }>();
  #count = 0;

  track<T>(run: Run, atMs: number, what: string, call: Promise<T>): Promise<T> {
    const id = this.#count++;
    this.#open.set(id, { run, what, atMs });
    const done = (): void => void this.#open.delete(id);
    call.then(done, done);
    return call;
  }

  /** Those of runs that are alive. */
  list(): string[] {
    return [...this.#open.values()]
      .filter(({ run }) => run.alive)
      .map(({ run, what, atMs }) => `${what} at ${run.name} since ${atMs.toFixed(0)}`);
  }
}

export interface ClientParts {
  readonly name: string;
  readonly cluster: Cluster;
  readonly dice: Dice;
  readonly trace: Trace;
  readonly calls: OpenCalls;
  now(): number;
  actorIds: readonly string[];
  onLost(binding: BindingAccount, code: string): void;
}

/** One client: its connection to a gateway, what it sends, and its own account of what came of it. */
export class Client {
  readonly name: string;
  readonly bindings: BindingAccount[] = [];
  readonly #parts: ClientParts;
  readonly #bound = new Map<string, BindingAccount>();
  readonly #binding = new Set<string>();
  #session: Session | undefined;
  #run: Run | undefined;
  #connections = 0;

  constructor(parts: ClientParts) {
    this.name = parts.name;
    this.#parts = parts;
  }

  get isConnected(): boolean {
    return this.#session !== undefined && this.#run?.alive === true;
  }

  get bound(): BindingAccount[] {
    return [...this.#bound.values()];
  }

  /** Opens a session at a gateway that serves, and binds some actors. False when no gateway does. */
  connect(): boolean {
    const { dice, cluster, trace } = this.#parts;
    const gateways = cluster.serving("gateways").filter((run) => !run.paused);
    if (gateways.length === 0) return false;
    const run = dice.pick(gateways);
    const connection = ++this.#connections;
    trace.note(this.name, `connects to ${run.name}`);
    this.#run = run;
    let session: Session | undefined;
    const isCurrent = (): boolean => run.alive && this.#session === session;
    run.process.enter(() => {
      try {
        session = run.node.openSession({
          onPush: (actorId, payload) => this.#pushed(connection, actorId, payload),
          onSendRefused: (actorId, ticket, error) => this.#refused(connection, actorId, ticket, error),
          onBindingLost: (actorId, error) => isCurrent() && this.#lost(connection, actorId, error),
        });
        this.#session = session;
      } catch {
        // The gateway is closing; the client tries another one later.
      }
    });
    const wanted = new Set([dice.pick(this.#parts.actorIds), dice.pick(this.#parts.actorIds)]);
    for (const actorId of wanted) this.bind(actorId);
    return this.isConnected;
  }

  bind(actorId: string): void {
    const session = this.#session;
    const run = this.#run;
    if (!session || !run?.alive || run.paused || this.#bound.has(actorId) || this.#binding.has(actorId)) return;
    const { trace, calls } = this.#parts;
    const connection = this.#connections;
    this.#binding.add(actorId);
    calls.track(run, this.#parts.now(), `bind ${actorId}`, session.bind(ACTOR_TYPE, actorId)).then(
      () => {
        if (connection !== this.#connections) return;
        this.#binding.delete(actorId);
        const binding: BindingAccount = {
          name: `${this.name}/${connection}/${this.bindings.length}`,
          actorId,
          sessionRid: session.sessionRid,
          connection,
          boundAtMs: this.#parts.now(),
          state: "bound",
          endedAtMs: 0,
          tickets: new Map(),
          requests: new Set(),
          lastPush: new Map(),
        };
        this.bindings.push(binding);
        this.#bound.set(actorId, binding);
        trace.note(this.name, `is bound to ${actorId}`);
      },
      (error: unknown) => {
        trace.note(this.name, `is not bound to ${actorId}: ${String(error)}`);
        if (connection === this.#connections) this.#binding.delete(actorId);
      },
    );
  }

  send(actorId: string, verb: Verb, order: Order): void {
    const binding = this.#ready(actorId);
    if (!binding) return;
    const { cluster, trace } = this.#parts;
    const message = cluster.ledger.sent("send", binding.name, actorId);
    trace.note(this.name, `sends m${message.id} (${verb}) to ${actorId}`);
    const ticket = this.#session!.send(actorId, payloadOf(`${verb}#${message.id}`, order));
    binding.tickets.set(ticket, message);
  }

  request(actorId: string, verb: Verb, order: Order): void {
    const binding = this.#ready(actorId);
    if (!binding) return;
    const { cluster, trace, calls } = this.#parts;
    const { ledger } = cluster;
    const run = this.#run!;
    const message = ledger.sent("request", binding.name, actorId);
    trace.note(this.name, `asks m${message.id} (${verb}) of ${actorId}`);
    binding.requests.add(message);
    const asked = this.#session!.request(actorId, payloadOf(`${verb}#${message.id}`, order));
    calls.track(run, this.#parts.now(), `request m${message.id}`, asked).then(
      (payload) => {
        if (!run.alive) return;
        trace.note(this.name, `m${message.id} is answered`);
        ledger.answered(message, valueOf(payload));
      },
      (error: unknown) => {
        if (!run.alive) return;
        trace.note(this.name, `m${message.id} fails: ${String(error)}`);
        settleRequest(ledger, message, error);
      },
    );
  }

  unbind(actorId: string): void {
    const binding = this.#ready(actorId);
    if (!binding) return;
    this.#parts.trace.note(this.name, `unbinds ${actorId}`);
    this.#end(binding, "ended");
    this.#parts.calls
      .track(this.#run!, this.#parts.now(), `unbind ${actorId}`, this.#session!.unbind(actorId))
      .catch(() => undefined);
  }

  /** Closes the session, as a client that goes away. */
  disconnect(): void {
    const session = this.#session;
    const run = this.#run;
    if (!session || !run?.alive || run.paused) return;
    this.#parts.trace.note(this.name, "disconnects");
    this.#drop("its client went away");
    this.#parts.calls.track(run, this.#parts.now(), "close a session", session.close()).catch(() => undefined);
  }

  /** Its gateway died, and the connection with it: that is how the client is told. */
  gatewayDied(run: Run): void {
    if (this.#run === run) this.#drop("its gateway is gone");
  }

  #drop(why: string): void {
    for (const binding of this.#bound.values()) {
      binding.state = "ended";
      binding.endedAtMs = this.#parts.now();
    }
    // Requests outlive their bindings, and end with the connection.
    for (const binding of this.bindings.filter(({ connection }) => connection === this.#connections)) {
      for (const message of [...binding.tickets.values(), ...binding.requests]) {
        this.#parts.cluster.ledger.abandoned(message, why);
      }
    }
    this.#bound.clear();
    this.#binding.clear();
    this.#session = undefined;
    this.#run = undefined;
    this.#connections += 1;
  }

  #ready(actorId: string): BindingAccount | undefined {
    if (!this.isConnected || this.#run?.paused === true) return undefined;
    return this.#bound.get(actorId);
  }

  #end(binding: BindingAccount, state: "ended" | "lost"): void {
    binding.state = state;
    binding.endedAtMs = this.#parts.now();
    this.#bound.delete(binding.actorId);
  }

  #pushed(connection: number, actorId: string, payload: Payload): void {
    if (this.#run?.alive !== true || connection !== this.#connections) return;
    const binding = this.bindings.findLast((each) => each.actorId === actorId);
    const { trace, cluster } = this.#parts;
    trace.note(this.name, `receives ${payload.packetName} of ${actorId}`);
    // It may come before the client has heard that it is bound.
    const last = binding?.state === "bound" ? binding.lastPush : new Map<number, number>();
    cluster.ledger.pushReceived(payload.packetName, this.#session?.sessionRid ?? "", last);
  }

  #refused(connection: number, actorId: string, ticket: bigint, error: RuntimeError): void {
    if (connection !== this.#connections) return;
    const { trace, cluster } = this.#parts;
    const binding = this.bindings.findLast((each) => each.actorId === actorId && each.tickets.has(ticket));
    const message = binding?.tickets.get(ticket);
    trace.note(this.name, `m${message?.id ?? "?"} to ${actorId} is refused: ${error.code}`);
    if (!message) return;
    if (error.code === "outcomeUnknown") cluster.ledger.toldUnknown(message, error.code);
    else cluster.ledger.toldNotRun(message, error.code);
  }

  #lost(connection: number, actorId: string, error: RuntimeError): void {
    const binding = this.#bound.get(actorId);
    if (connection !== this.#connections || !binding) return;
    this.#parts.trace.note(this.name, `loses its binding to ${actorId}: ${error.message}`);
    this.#end(binding, "lost");
    for (const message of binding.tickets.values()) {
      this.#parts.cluster.ledger.abandoned(message, `the binding was lost (${error.code})`);
    }
    this.#parts.onLost(binding, error.code);
  }
}

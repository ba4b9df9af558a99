import { OF_OWNERS } from "./of-owners.ts";
import { OF_SPOTS } from "./of-spots.ts";
import { CORE, RUNTIME, type Sabotage } from "./types.ts";

/** Deliberate bugs. Each must be found within the seeds that `SABOTAGE_SEEDS` says: a simulator that cannot proves nothing. */
export const SABOTAGES: readonly Sabotage[] = [
  {
    name: "resume-without-store",
    rule: "O4",
    what: "the source resumes after its 34 without the fence write",
    edits: [
      {
        file: `${CORE}/source/after-cut-over.ts`,
        find: 'if (action === "fence" && situation.type !== "hinted") return fence(state, situation);',
        replace: 'if (action === "fence" && situation.type !== "hinted") return rollBack(state, firstFailure(state));',
      },
    ],
  },
  {
    name: "drop-held-message",
    rule: "H4, I2",
    what: "the first message of a hold is lost when it is given back",
    edits: [
      {
        file: `${CORE}/ingress-hold/hold.ts`,
        find: "    this.#assertOwner(operationId);\n    return this.#end();\n  }\n\n  /**\n   * F2",
        replace: "    this.#assertOwner(operationId);\n    return this.#end().slice(1);\n  }\n\n  /**\n   * F2",
      },
    ],
  },
  {
    name: "release-in-reverse",
    rule: "H4, I4",
    what: "what was held is forwarded in reverse order, and the streams are not asked",
    edits: [
      {
        file: `${CORE}/ingress-hold/hold.ts`,
        find: "const kept = records.slice(relayed);",
        replace: "const kept = records.slice(relayed).reverse();",
      },
      {
        file: `${CORE}/stream-order/order.ts`,
        find: "    if (sequence > stream.lastQueued + 1n) {\n      this.#wait(waiting);",
        replace: "    if (false) {\n      this.#wait(waiting);",
      },
    ],
  },
  {
    name: "commit-on-version-last-read",
    rule: "T6",
    what: "a commit that is repeated stands on the version that was read last instead of the base version",
    edits: [
      {
        file: `${RUNTIME}/moves/inbound-move.ts`,
        find: "this.host.store.commit(effect.request)",
        replace:
          'this.host.store.read(effect.request.participants[0]!.key).then((now) => this.host.store.commit({ ...effect.request, participants: effect.request.participants.map((each, at) => (at === 0 && now.outcome === "found" ? { ...each, baseVersion: now.reading.record.storeVersion } : each)) }))',
      },
    ],
  },
  {
    name: "drop-copy-in-doubt",
    rule: "T6",
    what: "the target drops its copy when the commit's answer is lost",
    edits: [
      {
        file: `${CORE}/authority-commit/step.ts`,
        find: '    case "read":\n      return becomePausing(state, pursuit, seen === "unknown" ? "unknown" : "definite");',
        replace:
          '    case "read":\n      if (seen === "unknown") return becomeFailed(state, "staleBase");\n      return becomePausing(state, pursuit, "definite");',
      },
    ],
  },
  {
    name: "reuse-relocation-id",
    rule: "T1",
    what: "every move of an actor has the same relocation id",
    edits: [
      {
        file: `${RUNTIME}/moves/departures.ts`,
        find: 'const relocation = randomId128(this.#host.config.random);\n    return this.run({ relocation, unit, kind: "relocate"',
        replace: 'const relocation = { high: 1n, low: 1n };\n    return this.run({ relocation, unit, kind: "relocate"',
      },
    ],
  },
  {
    name: "forget-seal-timer",
    rule: "S5",
    what: "a seal has no deadline",
    edits: [
      {
        file: `${RUNTIME}/sessions/barrier-driver.ts`,
        find: 'case "StartSealTimer":\n        this.#timers.start(effect.identity, effect.delayMs);',
        replace: 'case "StartSealTimer":',
      },
    ],
  },
  {
    name: "double-join-answer",
    rule: "J1",
    what: "the answer to a join is delivered twice",
    edits: [
      {
        file: `${RUNTIME}/actors/turn.ts`,
        find: 'return callback(activation, "onJoin", () => definition.onJoin?.(context, item.result));',
        replace:
          'definition.onJoin?.(context, item.result);\n      return callback(activation, "onJoin", () => definition.onJoin?.(context, item.result));',
      },
    ],
  },
  {
    name: "overtake-forwarded",
    rule: "N4",
    what: "a message that comes straight runs before what is still on its way through a former owner",
    edits: [
      {
        file: `${CORE}/stream-order/order.ts`,
        find: '    if (sequence > stream.lastQueued + 1n) {\n      this.#wait(waiting);\n      return { outcome: "waiting" };\n    }',
        replace: "",
      },
      {
        file: `${CORE}/stream-order/order.ts`,
        find: "    if (sequence <= stream.lastQueued) {\n      const isLate",
        replace: "    if (false) {\n      const isLate",
      },
    ],
  },
  {
    name: "ignore-lease-loss",
    rule: "L1, I1",
    what: "a node whose lease has ended goes on",
    edits: [
      {
        file: `${RUNTIME}/lease-keeper.ts`,
        find: "    if (leaseStands(this.#state, now)) return true;\n",
        replace: "    if (now >= 0) return true;\n",
      },
      {
        file: `${RUNTIME}/lease-keeper.ts`,
        find: '      case "LoseLease":\n',
        replace: '      case "LoseLease":\n        return;\n',
      },
    ],
  },
  {
    name: "skip-abort-route",
    rule: "S20",
    what: "no 44 abort is sent for a 42",
    edits: [
      {
        file: `${RUNTIME}/moves/owed-route-sender.ts`,
        find: "  send(peer: Rid, command: SessionRelocationRoute): void {",
        replace:
          '  send(peer: Rid, command: SessionRelocationRoute): void {\n    if (command.route.action === "abort") return;',
      },
    ],
  },
  {
    name: "forget-stream-mark",
    rule: "N4, I3",
    what: "the payload says nothing of the last sequences per stream",
    edits: [
      {
        file: `${RUNTIME}/moves/payload.ts`,
        find: "streams: payload.streams.marks.map(",
        replace: "streams: payload.streams.marks.slice(0, 0).map(",
      },
    ],
  },
  {
    name: "depart-without-evidence",
    rule: "F1, O5",
    what: "a source that wants to give up after its 34 departs although the store still names it",
    edits: [
      {
        file: `${CORE}/source/resolution.ts`,
        find: '  abortWanted: {\n    ownAtBase: { action: "fence",',
        replace: '  abortWanted: {\n    ownAtBase: { action: "departGone",',
      },
    ],
  },
  {
    name: "answer-relayed-to-anyone",
    rule: "Q1, I3",
    what: "the answer of a request that moved goes to the request of that node that has the next correlation",
    edits: [
      {
        file: `${RUNTIME}/moves/relay-desk.ts`,
        find: "requests.complete(command.replyRouteId, command);",
        replace:
          "requests.complete(command.replyRouteId + (requests.isOpen(command.replyRouteId + 1n) ? 1n : 0n), command);",
      },
    ],
  },
  {
    name: "forget-marker",
    rule: "N5",
    what: "the place of a refused message is not filled",
    edits: [
      {
        file: `${RUNTIME}/sessions/binding.ts`,
        find: "this.#holes.fill(sequence);\n  }\n\n  #report(",
        replace: "}\n\n  #report(",
      },
    ],
  },
  {
    name: "accept-stale-route",
    rule: "S7, S15",
    what: "a 44 commit that comes again later repoints the binding, whatever the store says",
    edits: [
      {
        file: `${CORE}/session-barrier/step-ended.ts`,
        find: '  if (end.type === "routed" && isSameRoute(end.route, route)) return',
        replace: '  if (route.action === "abort" && end.type === "routed" && isSameRoute(end.route, route)) return',
      },
      {
        file: `${CORE}/session-barrier/step-ended.ts`,
        find: '  if (leadsHere(subject, route)) return noteRoute(state, input, "route.repeated");\n  if (route.targetAuthorityOwnerGeneration <= subject.fence.authorityOwnerGeneration) {\n    return refuseRoute(state, input, "route.targetAuthorityOwnerGeneration");\n  }\n',
        replace: "",
      },
      {
        file: `${CORE}/session-barrier/step.ts`,
        find: '  if (evidence.type === "newer" && confirms(evidence.route, state.route)) {\n    return becomeApplyingLate(state, evidence.route, state.route, moment);\n  }\n  return unconfirmed(becomeEndedAsBefore',
        replace:
          "  const told = routeOf(state.route);\n  if (told !== undefined) return becomeApplyingLate(state, told, state.route, moment);\n  return unconfirmed(becomeEndedAsBefore",
      },
    ],
  },
  {
    name: "forget-ended-seals",
    rule: "S8, S14",
    what: "ended seal identities are not remembered: a 42 that comes again seals again",
    edits: [
      {
        file: `${CORE}/session-barrier/barriers.ts`,
        find: "      this.#ended.set(identity, state);\n",
        replace: "",
      },
    ],
  },
  {
    name: "turns-after-stop",
    rule: "section 4, step 2; I6",
    what: "turns go on after a move has stopped them, with some of what comes meanwhile",
    edits: [
      {
        file: `${RUNTIME}/actors/activation.ts`,
        find: '    if (!this.#turnRunning) {\n      this.#gate = "stopped";\n',
        replace: "    if (!this.#turnRunning) {\n",
      },
      {
        file: `${RUNTIME}/actors/activation.ts`,
        find: "    if (this.#hold) {\n",
        replace: "    if (this.#hold && delivery.bytes % 2 === 0) {\n",
      },
    ],
  },
  {
    name: "keep-the-old-copy",
    rule: "O9, I1",
    what: "the source opens its copy again after the commit instead of dropping it",
    edits: [
      {
        file: `${RUNTIME}/moves/unit.ts`,
        find: "      actors.remove(activation);\n      const later",
        replace: "      activation.openGate();\n      const later",
      },
    ],
  },
  {
    name: "queue-left-behind",
    rule: "section 4, step 4; I2",
    what: "messages that were queued when the turns stopped are not in the payload",
    edits: [
      {
        file: `${RUNTIME}/moves/payload.ts`,
        find: "queued: payload.queued.map((item) => encodeItem(item, source)),",
        replace: "queued: payload.queued.slice(0, 0).map((item) => encodeItem(item, source)),",
      },
    ],
  },
  {
    name: "forget-relayed",
    rule: "H3, I2",
    what: "the first message that came during the capture is not relayed, and counts as relayed",
    edits: [
      {
        file: `${CORE}/ingress-hold/hold.ts`,
        find: "const fresh = this.#records.slice(this.#relayed);",
        replace: "const fresh = this.#records.slice(this.#relayed + 1);",
      },
    ],
  },
  {
    name: "timers-run-on",
    rule: "section 4, step 2; T12",
    what: "an actor's timers do not stop during a move",
    edits: [
      {
        file: `${RUNTIME}/actors/timers.ts`,
        find: "    for (const timer of this.#running.values()) timer.handle.cancel();\n    this.#running.clear();\n    this.#paused = paused;",
        replace: "    this.#running.clear();\n    this.#paused = paused;",
      },
    ],
  },
  {
    name: "forget-timers",
    rule: "T12",
    what: "the payload has no timers",
    edits: [
      {
        file: `${RUNTIME}/moves/payload.ts`,
        find: "timers: [...payload.timers].map(",
        replace: "timers: [...payload.timers].slice(0, 0).map(",
      },
    ],
  },
  {
    name: "forget-own-numbers",
    rule: "N4",
    what: "an actor's own numbering stays behind when it moves",
    edits: [
      {
        file: `${RUNTIME}/moves/payload.ts`,
        find: "outgoing: payload.outgoing.map(",
        replace: "outgoing: payload.outgoing.slice(0, 0).map(",
      },
    ],
  },
  {
    name: "hold-without-limit",
    rule: "H1, I8",
    what: "a hold takes whatever comes",
    edits: [
      {
        file: `${CORE}/ingress-hold/hold.ts`,
        find: "if (this.#records.length >= maxRecords || this.#bytes + bytes > maxBytes) return",
        replace: "if (maxRecords + maxBytes < 0) return",
      },
    ],
  },
  {
    name: "refuse-early-pushes",
    rule: "S17",
    what: "the target pushes before its route has gone out, and the session owner refuses that instead of holding it",
    edits: [
      {
        file: `${RUNTIME}/actors/activation.ts`,
        find: "    queueMicrotask(() => this.#pump());",
        replace: "    this.#pump();",
      },
      {
        file: `${CORE}/session-barrier/barriers.ts`,
        find: 'return hold.holdPush(push, bytes, actor) ? { outcome: "held" } : refused("overflow");',
        replace: 'return refused("overflow");',
      },
    ],
  },
  {
    name: "two-moves-at-once",
    rule: "O2",
    what: "a second move of an actor starts beside the first",
    edits: [
      {
        file: `${CORE}/move/outbound.ts`,
        find: 'if (running !== undefined) return isSame(running, request) ? "join" : "operationInProgress";',
        replace: 'if (running !== undefined) return "start";',
      },
    ],
  },
  {
    name: "resumed-is-lost",
    rule: "N1",
    what: "a link that goes on over another connection is taken for a lost one",
    edits: [
      {
        file: `${RUNTIME}/links/links.ts`,
        find: 'case "LinkResumed":\n        return;',
        replace: 'case "LinkResumed":\n        this.#lost(event.peer, []);\n        return;',
      },
    ],
  },
  ...OF_OWNERS,
  ...OF_SPOTS,
];

/** The order of what one actor receives: `protocol.md` N4 to N6. Texts stand for messages. */
import type { JsonObject, ScenarioStep } from "../../../src/vectors/file.ts";
import { fileOf, scenario, step } from "./parts.ts";

const FOLLOW_MS = 30_000;
const limits: JsonObject = {
  followMs: FOLLOW_MS,
  maxStreams: 2,
  maxWaiting: 3,
  maxWaitingBytes: 100,
  maxSkippedRanges: 2,
};
const config: JsonObject = { limits };

interface Arrival {
  readonly stream?: string;
  readonly bytes?: number;
  readonly resumes?: boolean;
}
const message = (sequence: number, { stream = "s", bytes = 10, resumes = false }: Arrival = {}): JsonObject => ({
  type: "Arrived",
  stream,
  sequence: `${sequence}`,
  resumes,
  content: { type: "message", item: `${stream}${sequence}` },
  bytes,
});
const marker = (sequence: number): JsonObject => ({
  ...message(sequence),
  content: { type: "marker" },
  bytes: 0,
});
const run = (...items: readonly string[]): JsonObject => ({ type: "Acceptance", outcome: "run", items });
const is = (outcome: string): JsonObject => ({ type: "Acceptance", outcome });
const refused = (reason: string): JsonObject => ({ type: "Acceptance", outcome: "refused", reason });
const expiry = (items: readonly string[], ...givenUp: readonly JsonObject[]): JsonObject => ({
  type: "Expiry",
  items,
  givenUp,
});
const gap = (from: number, to: number): JsonObject => ({ stream: "s", from: `${from}`, to: `${to}` });
const firstRun: ScenarioStep = step(0, message(1), run("s1"));

export const streamOrderScenarios = fileOf(
  "streamOrder",
  "The order of what one actor receives, whatever ways it took: sequences, gaps and how each ends, forgotten streams.",
  [
    scenario("in-order", "N4", "In order and once: a repeat is dropped.", {
      config,
      steps: [
        firstRun,
        step(1, message(2), run("s2")),
        step(2, message(2), is("duplicate")),
        step(3, message(1), is("duplicate")),
      ],
    }),
    scenario("ahead-of-its-turn", "N4", "Two routes: what comes early waits until the missing ones have come.", {
      config,
      steps: [
        firstRun,
        step(1, message(3), is("waiting")),
        step(2, message(4), is("waiting")),
        step(3, message(3), is("duplicate")),
        step(4, message(2), run("s2", "s3", "s4")),
      ],
    }),
    scenario("streams-apart", "N4", "A gap in one stream holds up no other.", {
      config,
      steps: [firstRun, step(1, message(3), is("waiting")), step(2, message(1, { stream: "t" }), run("t1"))],
    }),
    scenario("starts-at-one", "N4", "A stream begins with 1: a higher number of a stranger is ahead of its turn.", {
      config,
      steps: [step(0, message(2), is("waiting")), step(1, message(1), run("s1", "s2"))],
    }),
    scenario(
      "gap-given-up",
      "N4 I2",
      "Nobody can tell any more: after the follow period the gap is given up, and a straggler is refused.",
      {
        config,
        steps: [
          firstRun,
          step(100, message(4), is("waiting")),
          step(100 + FOLLOW_MS - 1, { type: "Expire" }, expiry([])),
          step(100 + FOLLOW_MS, { type: "Expire" }, expiry(["s4"], gap(2, 3))),
          step(100 + FOLLOW_MS + 1, message(2), refused("placeGivenUp")),
          step(100 + FOLLOW_MS + 2, message(5), run("s5")),
        ],
      },
    ),
    scenario(
      "two-gaps-given-up",
      "N4",
      "What waited less goes ahead too if it is behind one that is due; each gap is named.",
      {
        config,
        steps: [
          firstRun,
          step(100, message(6), is("waiting")),
          step(200, message(3), is("waiting")),
          step(100 + FOLLOW_MS, { type: "Expire" }, expiry(["s3", "s6"], gap(2, 2), gap(4, 5))),
        ],
      },
    ),
    scenario("bounded", "N4 I8", "Waiting has a count and a byte limit; what is in turn never waits.", {
      config,
      steps: [
        firstRun,
        step(1, message(3, { bytes: 60 }), is("waiting")),
        step(2, message(4, { bytes: 41 }), refused("tooManyWaiting")),
        step(3, message(4), is("waiting")),
        step(4, message(5), is("waiting")),
        step(5, message(6), refused("tooManyWaiting")),
        step(6, message(2), run("s2", "s3", "s4", "s5")),
      ],
    }),
    scenario(
      "moves-along",
      "N4",
      "The marks move with the queue, and with what waits: a repeat is one at the target too, a gap is still a gap.",
      {
        config,
        steps: [
          firstRun,
          step(1, message(2), run("s2")),
          step(2, message(4), is("waiting")),
          step(3, { type: "Moved", queued: [{ stream: "s", sequence: "2" }] }),
          step(4, message(2), is("duplicate")),
          step(5, message(3), run("s3", "s4")),
        ],
      },
    ),
    scenario("waiting-time-moves-along", "N4", "A move does not start the follow period anew.", {
      config,
      steps: [
        firstRun,
        step(1_000, message(3), is("waiting")),
        step(21_000, { type: "Moved", queued: [] }),
        step(1_000 + FOLLOW_MS, { type: "Expire" }, expiry(["s3"], gap(2, 2))),
      ],
    }),
    scenario(
      "marker-fills",
      "N5",
      "A marker fills the place of a message that was refused: what waited behind it runs.",
      {
        config,
        steps: [firstRun, step(1, message(3), is("waiting")), step(2, marker(2), run("s3"))],
      },
    ),
    scenario("marker-then-message", "N5", "Message and marker both arrive: the first one counts.", {
      config,
      steps: [
        firstRun,
        step(1, marker(2), run()),
        step(2, message(2), is("duplicate")),
        step(3, message(3), run("s3")),
        step(4, marker(3), is("duplicate")),
      ],
    }),
    scenario("marker-waits", "N5", "A marker that is ahead of its turn waits as well.", {
      config,
      steps: [
        firstRun,
        step(1, marker(3), is("waiting")),
        step(2, message(2), run("s2")),
        step(3, message(4), run("s4")),
      ],
    }),
    scenario(
      "forgotten-stream",
      "N6",
      "A stream that was idle past the follow period may be forgotten; its next message, which says so, starts it anew.",
      {
        config,
        steps: [
          firstRun,
          step(1, { type: "Ran", stream: "s", sequence: "1" }),
          step(2, message(1, { stream: "t" }), run("t1")),
          step(2, { type: "Ran", stream: "t", sequence: "1" }),
          step(FOLLOW_MS + 10, message(1, { stream: "u" }), run("u1")),
          step(FOLLOW_MS + 11, message(2, { resumes: true }), run("s2")),
        ],
      },
    ),
    scenario(
      "no-room-for-streams",
      "N6 I8",
      "No stream is idle for long enough to be forgotten: a new one is refused.",
      {
        config,
        steps: [
          firstRun,
          step(1, message(1, { stream: "t" }), run("t1")),
          step(2, message(1, { stream: "u" }), refused("tooManyStreams")),
        ],
      },
    ),
    scenario(
      "resumes-means-nothing-elsewhere",
      "N6",
      "An actor that has forgotten no stream does not believe that one starts anew.",
      {
        config,
        steps: [step(0, message(5, { resumes: true }), is("waiting"))],
      },
    ),
  ],
);

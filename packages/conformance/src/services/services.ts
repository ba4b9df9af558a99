import { connect } from "node:net";

/** Long enough for a busy machine, short enough that nobody waits long to hear that nothing is there. */
const PROBE_TIMEOUT_MS = 3000;

export type ServiceName = keyof typeof SERVICES;

/** A server that some tests need. */
export interface Service {
  readonly name: ServiceName;
  /** With its port, also where that is the usual one. */
  readonly url: string;
}

/** How each kind of server is found: who names it, where it is otherwise, what it is asked, and what it then says. */
export const SERVICES = Object.freeze({
  redis: {
    title: "Redis",
    variable: "REHOME_REDIS_URL",
    defaultUrl: "redis://127.0.0.1:6379",
    defaultPort: 6379,
    question: Buffer.from("PING\r\n"),
    // A server that wants a password first is a Redis too.
    answer: /^(?:\+PONG|-NOAUTH)/,
  },
  postgres: {
    title: "PostgreSQL",
    variable: "REHOME_POSTGRES_URL",
    defaultUrl: "postgres://postgres@127.0.0.1:5432/test",
    defaultPort: 5432,
    // SSLRequest of its protocol: the one question that needs no user name.
    question: Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]),
    answer: /^[SN]/,
  },
});

/**
 * The server that tests shall use, or nothing if it does not answer; then a line on stderr says what is left out and how to
 * have it. With `REHOME_REQUIRE_SERVICES` set (to anything but `0`) it rejects instead, so that CI cannot pass by skipping.
 *
 * `environment` is for tests of this function.
 */
export async function findService(
  name: ServiceName,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Service | undefined> {
  const { title, variable, defaultUrl } = SERVICES[name];
  const url = environment[variable] || defaultUrl;
  const obstacle = await obstacleTo(name, url);
  if (obstacle === undefined) return { name, url: withPort(name, url) };
  const advice = `start it, or set ${variable} to the URL of another`;
  const sentence = `${title} at ${withoutPassword(url)} cannot be used (${obstacle}): ${advice}.`;
  const isRequired = !["", "0", undefined].includes(environment["REHOME_REQUIRE_SERVICES"]);
  if (isRequired) throw new Error(`${sentence} REHOME_REQUIRE_SERVICES forbids to skip its tests.`);
  console.warn(`SKIPPED: all tests that need ${title}. ${sentence}`);
  return undefined;
}

/** Why the server cannot be used. */
function obstacleTo(name: ServiceName, url: string): Promise<string | undefined> {
  const { question, answer, defaultPort, title } = SERVICES[name];
  const where = URL.canParse(url) ? new URL(url) : undefined;
  if (where === undefined || where.hostname === "") return Promise.resolve("that is no URL with a host");
  const port = where.port === "" ? defaultPort : Number(where.port);
  return new Promise((resolve) => {
    const socket = connect({ host: where.hostname.replace(/^\[|\]$/g, ""), port });
    const settle = (obstacle: string | undefined) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(obstacle);
    };
    const timer = setTimeout(() => settle(`no answer within ${PROBE_TIMEOUT_MS} ms`), PROBE_TIMEOUT_MS);
    socket.on("connect", () => socket.write(question));
    socket.on("error", (error: NodeJS.ErrnoException) => settle(error.code ?? error.message));
    socket.on("close", () => settle("it closed the connection"));
    socket.once("data", (bytes) => settle(answer.test(bytes.toString("latin1")) ? undefined : `that is no ${title}`));
  });
}

function withPort(name: ServiceName, text: string): string {
  const url = new URL(text);
  if (url.port !== "") return text;
  url.port = String(SERVICES[name].defaultPort);
  return url.href;
}

function withoutPassword(url: string): string {
  return url.replace(/:[^:@/]*@/, ":***@");
}

import { isFailureCode, type Failure, type FailureCode } from "@rehome/client/protocol";

/** What a client is told instead of an error that says more than it should know. */
const PLAIN_TEXT: Partial<Record<FailureCode, string>> = {
  // The text of an exception in the application's code.
  handlerFailed: "The actor's handler failed.",
  // Names of nodes, and how full they are.
  capacityExceeded: "No node can take the actor.",
  typeUnknown: "No node hosts actors of that type.",
};

/** An error of the runtime as the client is told it. Whatever is no such error is `failed`, without its text. */
export function failureOf(error: unknown): Failure {
  const code: unknown = (error as { code?: unknown } | undefined)?.code;
  if (!(error instanceof Error) || !isFailureCode(code)) return failure("failed", "The gateway failed.");
  return { code, message: PLAIN_TEXT[code] ?? error.message };
}

export function failure(code: FailureCode, message: string): Failure {
  return { code, message };
}

/** The text of anything that was thrown, for logs. */
export function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

import { TransportError } from "../errors.ts";
import { formatEndpoint } from "./addresses.ts";
import type { HostAndPort, Scheme } from "./addresses.ts";

/** What an operating system's error about listening means to whoever chose the address. */
export function listenFailure(error: unknown, { host, port }: HostAndPort): TransportError {
  const options = { cause: error };
  const code = codeOf(error);
  switch (code) {
    case "EADDRINUSE":
      return new TransportError(
        "addressInUse",
        `Port ${port} on ${host} is in use: stop what listens there, or choose another port (0 takes any free one).`,
        options,
      );
    case "EACCES":
    case "EPERM":
      return new TransportError(
        "addressForbidden",
        `This process may not listen on port ${port} of ${host}: choose a port from 1024 on.`,
        options,
      );
    default:
      return new TransportError(
        "addressUnavailable",
        `Cannot listen on ${host}: choose an address of this machine (${code}).`,
        options,
      );
  }
}

export function connectFailure(error: unknown, scheme: Scheme, target: HostAndPort): TransportError {
  const where = formatEndpoint(scheme, target);
  return new TransportError("connectFailed", `Nobody answers at ${where} (${codeOf(error)}).`, { cause: error });
}

/** An error's code, or its message where it has none. */
export function codeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}

// PLACEHOLDER so that the rest compiles; the session engineer replaces this whole file.
import type { SendRefused } from "@rehome/wire";
import type { Session, SessionHandler } from "../api.ts";
import type { Host } from "../host.ts";

export class SessionHost {
  constructor(_host: Host) {}
  open(_handler: SessionHandler): Session {
    throw new Error("placeholder");
  }
  onSendRefused(_command: SendRefused): boolean {
    return false;
  }
  close(): Promise<void> {
    return Promise.resolve();
  }
  stop(): void {}
}

import type { Command } from "../values/commands.ts";

/** A rule across fields that a value breaks: the field to name, and why. */
export interface RuleBreach {
  readonly field: string;
  readonly reason: string;
}

/** The rules across fields of `wire.md` 3.3. Decoding asks once the frame has been read whole, encoding likewise. */
export function ruleBreach(command: Command): RuleBreach | undefined {
  if (command.command !== "sessionRelocationRoute") return undefined;
  const { route, senderRole } = command;
  const stranger = route.action === "commit" ? "source" : "target";
  if (senderRole === stranger) return { field: "senderRole", reason: `a ${stranger} does not send a ${route.action}` };
  if (route.action === "abort" || route.targetAuthorityOwnerGeneration > route.previousAuthorityOwnerGeneration) {
    return undefined;
  }
  return { field: "route.targetAuthorityOwnerGeneration", reason: "it is not greater than the previous one" };
}

export { CutProxy, textIn } from "./cut-proxy.ts";
export type { Cut, CutRule, MatchBytes } from "./cut-proxy.ts";

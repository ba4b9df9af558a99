export { runTransportEnd } from "./transport/pair/program.ts";
export type { MakeEnd } from "./transport/pair/end.ts";

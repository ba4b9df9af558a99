export { runContender } from "./contender.ts";

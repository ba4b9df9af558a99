/** The process that echoes: says where it can be reached, on a line of its own, and ends with its input. */
import { contenders } from "./contenders.ts";
import { serveBare } from "./bare.ts";
import { serveRehome } from "./rehome.ts";

const contender = process.argv[2];
const address =
  contender === contenders.rehome ? await serveRehome() : String(await serveBare(contender === contenders.batched));
process.stdout.write(`${address}\n`);
process.stdin.on("end", () => process.exit(0)).resume();

// A program that speaks the line protocol from a list of answers, and misbehaves as it is told.
// node program.mjs MODE ANSWERS.json: an object from request line to answer.
import { Buffer } from "node:buffer";
import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setInterval } from "node:timers";

const [mode, path] = process.argv.slice(2);
appendFileSync(`${path}.pids`, `${process.pid}\n`);
const answers = JSON.parse(readFileSync(path, "utf8"));

function crc32c(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return ~crc >>> 0;
}

function answerTo(line) {
  const known = answers[line];
  if (known !== undefined) return known;
  const request = JSON.parse(line);
  if (request.op === "crc32c") return { crc32c: crc32c(Buffer.from(request.hex.join(""), "hex")) };
  return { error: { code: "no-answer", message: line } };
}

const say = (text) => process.stdout.write(text);
const reply = (line) => say(`${JSON.stringify(answerTo(line))}\n`);
const flood = () => process.stdout.write("x".repeat(1 << 20), flood);
let count = 0;
let held;

if (mode === "greets") say("ready\n");
if (mode === "dies-at-once") {
  console.error("cannot\nstart");
  process.exit(3);
}
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  count++;
  // The first sixteen are about the order of answers.
  const late = count > 20;
  if (mode === "swaps" && held === undefined) held = line;
  else if (mode === "swaps") {
    reply(line);
    reply(held);
    held = undefined;
  } else if (mode === "dies" && late) {
    console.error("panic: \u001b[31mred");
    process.exit(101);
  } else if (mode === "is-killed" && late) process.kill(process.pid, "SIGSEGV");
  else if (mode === "hangs" && late) return;
  else if (mode === "garbage" && late) say("<html>\n");
  else if (mode === "array" && late) say("[]\n");
  else if (mode === "not-utf8" && late) process.stdout.write(Buffer.from([0xc0, 0x80, 0x0a]));
  else if (mode === "floods" && late) flood();
  else if (mode === "echoes" && late) say(`${line}\n${line}\n`);
  else if (mode === "wrong-shape" && late) say('{"nonsense":{"deep":[1,{"x":null}]}}\n');
  else if (mode === "closes-output" && late) {
    if (count === 21) process.stdout.end();
  } else reply(line);
});
lines.on("close", () => {
  if (mode === "never-ends") setInterval(() => {}, 1000);
  if (mode === "says-goodbye") say("goodbye\n");
});

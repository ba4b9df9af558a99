import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build, type Rollup } from "vite";
import { expect, test } from "vitest";
import { FakeSocket, settle } from "./tools.ts";

/** The client as a browser would load it: one script without imports. */
async function bundle(): Promise<string> {
  const result = (await build({
    configFile: false,
    logLevel: "silent",
    resolve: { conditions: ["rehome-source"] },
    build: {
      write: false,
      minify: false,
      lib: { entry: fileURLToPath(new URL("../src/index.ts", import.meta.url)), formats: ["iife"], name: "rehome" },
    },
  })) as Rollup.RollupOutput[];
  return result[0]!.output[0].code;
}

test("it runs where there is nothing of Node: no Buffer, no process, no setImmediate, no eval", async () => {
  const sockets: FakeSocket[] = [];
  class Socket extends FakeSocket {
    constructor(url: string) {
      super(url);
      sockets.push(this);
    }
  }
  const globals = { TextEncoder, TextDecoder, performance, setTimeout, clearTimeout, queueMicrotask, console };
  // The bytes that come from outside have to be of the context's own kind, as in a browser.
  const context = createContext(
    { ...globals, WebSocket: Socket, Uint8Array, ArrayBuffer },
    { codeGeneration: { strings: false, wasm: false } },
  );
  const code = await bundle();
  const { connect } = runInContext(`${code}; rehome`, context) as typeof import("../src/index.ts");
  expect(runInContext("typeof Buffer + typeof process + typeof setImmediate", context)).toBe("undefined".repeat(3));

  const client = connect({ url: "ws://one" });
  await settle();
  sockets[0]!.open();
  sockets[0]!.welcome();
  const bind = client.bind("Actor", "a");
  await settle();
  sockets[0]!.sayFrames(1, { kind: "bound", binding: 1, created: true });
  const binding = await bind;
  const pushed: unknown[] = [];
  binding.onPush((_name, value) => pushed.push(value));
  binding.send("greet", { text: "grüß" });
  await settle();
  const data = new TextEncoder().encode('"hello"');
  sockets[0]!.sayFrames(2, {
    kind: "push",
    binding: 1,
    payload: { packetName: "p", contentType: "application/json", data },
  });
  expect(pushed).toEqual(["hello"]);
  expect(sockets[0]!.frames.map(({ kind }) => kind)).toEqual(["bind", "send"]);
  await client.close();
}, 60_000);

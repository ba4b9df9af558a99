import { hexFromBytes } from "@rehome/wire";
import { encodeRecord, fromJson, traceRecord } from "@rehome/wire";
import { describe, expect, it } from "vitest";
import { framesIn } from "../src/inspect/frames.ts";
import { bound, lookup, seal, send } from "./support/frames.ts";
import { run } from "./support/io.ts";

/** The bytes that a table shows, by frame, put together again. */
function bytesShown(out: string): string[] {
  const frames: string[] = [];
  for (const line of out.split("\n")) {
    if (line.startsWith("frame ")) frames.push("");
    const bytes = /^ +\d+ {2}((?:[0-9a-f]{2} ?)+)/.exec(line);
    if (bytes !== null) frames[frames.length - 1] += bytes[1]!.replaceAll(" ", "");
  }
  return frames;
}

describe("rehome inspect", () => {
  it("shows every field with its place, bytes and value", async () => {
    const { code, out, err } = await run(["inspect", lookup]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe(
      [
        "frame 0, 21 bytes",
        "  offset  bytes                     field        value",
        "       0  5a 4d                     magic        ZM",
        "       2  01                        major        1",
        "       3  1a                        command      actorLookup",
        "       4  00                        flags        0",
        "       5  00 00 00 00 00 00 00 07   correlation  7",
        "      13  07 61 63 74 6f 72 2d 31   actorId      actor-1",
        "",
      ].join("\n"),
    );
  });

  it.each([
    ["a seal", [seal]],
    ["a send with metadata and payload", send],
  ])("shows every byte of %s once", async (_, frames) => {
    const { code, out } = await run(["inspect", ...frames]);
    expect(code).toBe(0);
    expect(bytesShown(out)).toEqual(frames);
  });

  it.each([
    ["arguments", ["inspect", ...send], ""],
    ["one argument with commas", ["inspect", send.join(",")], ""],
    ["capital digits", ["inspect", send.join(", ").toUpperCase()], ""],
    ["the standard input", ["inspect", "-"], `${send.join("\n")}\n`],
    ["the standard input, unasked", ["inspect"], `\t${send.join(" , ")}\r\n`],
  ])("takes frames from %s", async (_, args, input) => {
    const { code, out } = await run(args, input);
    expect(code).toBe(0);
    expect(bytesShown(out)).toEqual(send);
  });

  it("takes a dump of single bytes as one frame", async () => {
    const { code, out } = await run(["inspect"], lookup.replace(/../g, "$& "));
    expect(code).toBe(0);
    expect(bytesShown(out)).toEqual([lookup]);
  });

  it("reads a reply's tail by the operation it is told", async () => {
    expect((await run(["inspect", bound])).code).toBe(1);
    const { code, out } = await run(["inspect", "--operation", "streamBind", bound]);
    expect(code).toBe(0);
    expect(out).toMatch(/13\s+00 00 00 00\s+terminalResult\s+ok\n/);
    expect(out).toMatch(/21\s+00 00 00 00 00 00 00 05\s+tail\.bindingGeneration\s+5\n/);
  });

  it("says where and why a frame is refused, after all that could be read", async () => {
    const { code, out, err } = await run(["inspect", seal.slice(0, 300)]);
    expect([code, err]).toEqual([1, ""]);
    expect(out).toMatch(/ 144 {2}00 00 00 00 00 00 {9}session\.ownerLeaseGeneration +<-- truncated-field\n/);
    expect(out).toMatch(/\nrefused: truncated-field in session\.ownerLeaseGeneration at byte 144: .* \(frame 0\)\n$/);
    expect(bytesShown(out)).toEqual([seal.slice(0, 300)]);
  });

  it.each([
    ["the first frame", [send[0]!.slice(0, -2), send[1]!, send[2]!], 0, "target.ownerLeaseGeneration"],
    ["the metadata", [send[0]!, send[1]!.slice(0, -2), send[2]!], 1, "metadata[0].value"],
    ["the payload", [send[0]!, send[1]!, `${send[2]!}00`], 2, "payload"],
  ])("marks the place in %s", async (_, frames, index, field) => {
    const { code, out } = await run(["inspect", ...frames]);
    expect(code).toBe(1);
    const marked = out.split(/^frame /m)[index + 1]!;
    expect(marked).toContain("<-- ");
    expect(out.match(/<-- /g)).toHaveLength(1);
    expect(out).toContain(`in ${field} at byte`);
    expect(out).toContain(`(frame ${index})`);
  });

  it("says when there are too many frames or too few", async () => {
    for (const frames of [send.slice(0, 2), [...send, "00"], [lookup, "00"]]) {
      const { code, out } = await run(["inspect", ...frames]);
      expect(code).toBe(1);
      expect(out).toContain("refused: frame-count");
    }
    expect((await run(["inspect", lookup, "00"])).out).toContain("(not read)");
  });

  it.each(["zz", "5a4", "5a4d 0x01", "ー", "5a\u0000", "frame"])("%j is not hex: exit code 2", async (text) => {
    const { code, out, err } = await run(["inspect", text]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("is not hex");
  });

  it("needs something to look at", async () => {
    expect((await run(["inspect", " , "])).code).toBe(2);
    expect((await run(["inspect"], "")).code).toBe(2);
    expect((await run(["inspect"], Uint8Array.of(0xff, 0xfe))).code).toBe(2);
  });

  it("cuts what is long, and shows no character that a terminal acts on", async () => {
    const id = "1b5b33316d".repeat(50);
    const { code, out } = await run(["inspect", `5a4d011a000000000000000007fa${id}`]);
    expect(code).toBe(0);
    expect(out).not.toContain("\u001b");
    expect(out).toContain("\\u{1b}[31m");
    expect(out).toContain("… 219 more bytes");
  });

  it("bears a frame of as many fields as there can be", async () => {
    const channels = Array.from({ length: 65_535 }, (_, index) => {
      return { name: index.toString(16).padStart(4, "0"), weight: 0 };
    });
    const admission = {
      topology: "routeMesh",
      meshName: "m",
      securityIdentity: "s",
      lifecycleGeneration: "1",
      descriptorRevision: "1",
      advertisedEndpoint: "e",
      channels,
      runtimeState: "serving",
      applicationVersion: "0",
      protocolCapabilities: [],
      placementWeight: 1,
      nodeRid: "n",
    };
    const [frame] = encodeRecord(fromJson({ command: "hello", admission }));
    const { code, out } = await run(["inspect"], hexFromBytes(frame!));
    expect(code).toBe(0);
    expect(out).toContain("admission.channels[65534].weight");
  });
});

describe("its rows", () => {
  it("tile each frame: no byte is left out or shown twice", () => {
    for (const frames of [[seal], [lookup], send]) {
      const bytes = framesIn(frames.join(" "));
      const { rows, error } = traceRecord(bytes);
      expect(error).toBeUndefined();
      for (const [index, frame] of bytes.entries()) {
        let at = 0;
        for (const row of rows.filter((candidate) => candidate.frame === index)) {
          expect(row.offset).toBe(at);
          at += row.length;
        }
        expect(at).toBe(frame.length);
      }
    }
  });
});

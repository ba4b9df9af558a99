import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type Page as BrowserPage } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readVectorFolder } from "../scripts/vectors/folder.ts";
import { expandVectors, loadVectorFile } from "../src/vectors/index.ts";
import type { Page } from "./browser/page.ts";
import { openSite, type Site } from "./browser/site.ts";

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const { texts } = readVectorFolder(fileURLToPath(new URL("../../../test-vectors/", import.meta.url)));

let site: Site;
let browser: Browser;
let page: BrowserPage;
/** What went wrong in the page by itself. */
const complaints: string[] = [];

beforeAll(async () => {
  if (!existsSync(executablePath)) {
    throw new Error(`there is no ${executablePath}: install Debian's chromium, or say where one is by CHROMIUM`);
  }
  site = await openSite();
  // A profile of its own, which goes when the browser does.
  browser = await chromium.launch({ executablePath, headless: true, args });
  page = await browser.newPage();
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().includes("favicon")) complaints.push(message.text());
  });
  await page.goto(site.url);
  await page.waitForFunction(() => "page" in globalThis);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const answer = (request: unknown): Promise<unknown> =>
  page.evaluate((asked) => (globalThis as unknown as { page: Page }).page.answer(asked), request);

describe("the built packages in a browser", () => {
  it("need nothing of Node", () => {
    expect(site.script).not.toMatch(/browser-external|from "node:|require\(/);
    expect(complaints).toEqual([]);
  });

  it.each(Object.keys(texts))("agree with every case of %s", async (name) => {
    const report = await page.evaluate(
      (text) => (globalThis as unknown as { page: Page }).page.verify(text),
      texts[name]!,
    );
    expect(report.differences).toEqual([]);
    const checks = [...expandVectors(loadVectorFile(texts[name]!))].length;
    expect([report.passed, report.failed, report.skipped]).toEqual([checks, 0, 0]);
    expect(complaints).toEqual([]);
  });

  it("W1: keep every u64 exact", async () => {
    for (const probeId of ["9007199254740991", "9007199254740993", "9223372036854775807", "18446744073709551615"]) {
      const { frames } = (await answer({ op: "encode", value: { command: "livenessProbe", probeId } })) as {
        frames: string[];
      };
      expect(frames).toEqual([`5a4d010500${BigInt(probeId).toString(16).padStart(16, "0")}`]);
      expect(await answer({ op: "decode", frames })).toEqual({ value: { command: "livenessProbe", probeId } });
    }
    for (const probeId of ["-1", "18446744073709551616"]) {
      const value = { command: "livenessProbe", probeId };
      expect(await answer({ op: "encode", value })).toMatchObject({ error: { code: "invalid-field" } });
    }
  });

  it("W2: refuse lone surrogates at every length", async () => {
    for (const length of [0, 58, 64, 247]) {
      const value = { command: "actorLookup", correlation: "1", actorId: `hi \ud83d${"x".repeat(length)}` };
      expect(await answer({ op: "encode", value })).toMatchObject({
        error: { code: "invalid-field", field: "actorId" },
      });
    }
  });
});

import { expect, it } from "vitest";
import { errorText } from "../src/error-text.ts";
import { RuntimeError } from "../src/errors.ts";

it("an error is text with its causes, so that a log of plain values loses nothing", () => {
  const text = errorText(
    new RuntimeError("handlerFailed", "restore failed", { cause: new TypeError("no such field") }),
  );
  expect(text).toMatch(/^handlerFailed: restore failed\ncaused by: TypeError: no such field\n {4}at /);
  expect(errorText({ code: "captureFailed", message: "no" })).toBe("captureFailed: no");
  expect(errorText({ reason: 5 })).toBe('{"reason":5}');
});

it.each([undefined, null, 5, 1n, "text", Symbol("s"), () => 1])("takes whatever was thrown: %s", (thrown) => {
  expect(typeof errorText(thrown)).toBe("string");
});

it("is bounded, and never throws", () => {
  const endless: { message: string; cause?: unknown } = { message: "again" };
  endless.cause = endless;
  expect(errorText(endless).split("caused by")).toHaveLength(5);
  expect(errorText(new Error("x".repeat(100_000)))).toHaveLength(4_096);
  const hostile = {
    get message(): string {
      throw new Error("no");
    },
  };
  expect(errorText(hostile)).toBe("something that cannot be written");
  expect(errorText({ a: 1n })).toBe("something that cannot be written");
});

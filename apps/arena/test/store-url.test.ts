import { describe, expect, test } from "vitest";
import { openStore, parseStoreUrl, withoutPassword } from "../src/store-url.ts";

describe("a store's URL", () => {
  test.each([
    ["sqlite:a/b c.db", { kind: "sqlite", path: "a/b c.db" }],
    ["sqlite:/tmp/x.db?x", { kind: "sqlite", path: "/tmp/x.db?x" }],
    ["redis://me:pw@h:1/2", { kind: "redis", url: "redis://me:pw@h:1/2", prefix: undefined }],
    ["rediss://h:1?prefix=a%3Ab", { kind: "redis", url: "rediss://h:1", prefix: "a:b" }],
    ["postgres://me@h:1/db?schema=s", { kind: "postgres", url: "postgres://me@h:1/db", schema: "s" }],
    [
      "postgresql://h/db?sslmode=require",
      { kind: "postgres", url: "postgresql://h/db?sslmode=require", schema: undefined },
    ],
    [
      "postgres:///db?host=%2Frun%2Fpg",
      { kind: "postgres", url: "postgres:///db?host=%2Frun%2Fpg", schema: undefined },
    ],
  ])("%s", (text, address) => {
    expect(parseStoreUrl(text)).toEqual(address);
  });

  test.each([
    "",
    "x.db",
    "sqlite:",
    "sqlite://x",
    "redis:",
    "redis:x",
    "redis://h?schema=x",
    "redis://h:6379/abc",
    "redis://:%zz@h",
    "postgres://",
    "postgres:///db",
    "postgres:x",
    "postgres://u:%zz@h/db",
    "mysql://h/x",
    "http://h",
  ])("%j is none", async (text) => {
    expect(parseStoreUrl(text)).toBe(undefined);
    await expect(openStore(text)).rejects.toThrow(TypeError);
  });

  test("is shown without its password", () => {
    expect(withoutPassword("postgres://me:s3:c@t@h:1/db")).toBe("postgres://me:***@h:1/db");
    expect(withoutPassword("redis://h:1/x@y")).toBe("redis://h:1/x@y");
    expect(withoutPassword("redis://:pw@h:1")).toBe("redis://:***@h:1");
    expect(withoutPassword("redis://h:1")).toBe("redis://h:1");
    expect(withoutPassword("sqlite:/a:b@c")).toBe("sqlite:/a:b@c");
  });
});

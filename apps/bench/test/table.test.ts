import { expect, it } from "vitest";
import { digits, table } from "../src/table.ts";

it("lays out columns: the first to the left, the others to the right", () => {
  expect(
    table([
      ["", "speed"],
      ["slow", "1"],
      ["faster", "100"],
    ]),
  ).toBe("        speed\nslow        1\nfaster    100");
});

it("shows three digits, never an exponent", () => {
  expect([0, 0.001234, 0.5, 1, 9.999, 12.34, 123.4, 1234.5].map(digits)).toEqual([
    "0",
    "0.00123",
    "0.500",
    "1.00",
    "10.00",
    "12.3",
    "123",
    "1235",
  ]);
});

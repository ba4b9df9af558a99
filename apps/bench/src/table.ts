/** Lays rows out in columns: the first one to the left, the others to the right. */
export function table(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows
    .map((row) =>
      widths
        .map((width, column) => {
          const cell = row[column] ?? "";
          return column === 0 ? cell.padEnd(width) : cell.padStart(width);
        })
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Three significant digits, without an exponent. */
export function digits(value: number): string {
  if (value >= 100 || value === 0) return value.toFixed(0);
  return value.toFixed(Math.max(0, 2 - Math.floor(Math.log10(value))));
}

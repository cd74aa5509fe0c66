import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { n8nSettings } from "../bench/n8n.ts";
import { rivalTable } from "../bench/rival-table.ts";
import { renderTable } from "../bench/table.ts";

const setup = { version: "2.41.1", settings: n8nSettings, connections: 10, rounds: 3 };

test("the comparison with n8n has a row as shipped and a row tuned, with medians and ranges, per unit of work", () => {
  const n8n = { "as shipped": [20, 25, 24], tuned: [80, 65, 88] };
  const slow = { "as shipped": [60, 61, 59], tuned: [13, 12.6, 16.1] };
  const table = rivalTable(
    [
      { name: "flow", unit: "per second", wharf: [173, 175, 160], n8n },
      { name: "alone", unit: "ms", wharf: [10.7, 10.5, 11.9], n8n: slow },
    ],
    setup,
  );
  expect(table.rows).toEqual([
    ["flow, per second", "as shipped", 173, "160 to 175", 24, "20 to 25", 173 / 24],
    ["flow, per second", "tuned", 173, "160 to 175", 80, "65 to 88", 173 / 80],
    ["alone, ms", "as shipped", 10.7, "10.5 to 11.9", 60, "59 to 61", 60 / 10.7],
    ["alone, ms", "tuned", 10.7, "10.5 to 11.9", 13, "12.6 to 16.1", 13 / 10.7],
  ]);
  const printed = renderTable(table);
  for (const named of ["n8n 2.41.1", "3 rounds", "N8N_EXPRESSION_ENGINE=legacy"]) {
    expect(printed).toContain(named);
  }
  expect(JSON.parse(JSON.stringify(table.data))).toMatchObject({
    version: "2.41.1",
    settings: { tuned: n8nSettings.tuned },
    rows: [
      { work: "flow", edition: "as shipped" },
      { work: "flow", edition: "tuned" },
      { work: "alone", edition: "as shipped" },
      { work: "alone", edition: "tuned" },
    ],
  });
});

test("n8n is tuned by its expression engine and by keeping no record, and as shipped has neither", () => {
  expect(n8nSettings).toEqual({
    "as shipped": {},
    tuned: { N8N_EXPRESSION_ENGINE: "legacy", EXECUTIONS_DATA_SAVE_ON_SUCCESS: "none" },
  });
});

test("docs/benchmarks.md compares both, with version, settings, connections, body and rounds", () => {
  const page = readFileSync(new URL("../../docs/benchmarks.md", import.meta.url), "utf8");
  const section = page.split("\n## ").find((part) => part.startsWith("rivals\n")) ?? "";
  const settings = Object.entries(n8nSettings.tuned).map(([name, value]) => `${name}=${value}`);
  for (const expected of [
    "as shipped",
    "tuned",
    "2.41.1",
    "three rounds",
    "ten connections",
    "7.6 KB",
    ...settings,
  ]) {
    expect(section).toContain(expected);
  }
});

import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { logMessages, metrics } from "../../lib/platform/runtime/telemetry.ts";

const root = new URL("../../", import.meta.url);
const sources = globSync("{lib,functions}/**/*.ts", { cwd: root.pathname })
  .filter((file) => !file.endsWith(".test.ts"))
  .map((file) => ({ file, text: readFileSync(new URL(file, root), "utf8") }));

/** Returns the names that a function is called with, wherever the call breaks its lines. */
const listNames = (called: string): string[] => [
  ...new Set(
    sources.flatMap(({ text }) =>
      [...text.matchAll(new RegExp(`\\b${called}\\(\\s*([^\\s,)]+)`, "g"))]
        .map(([, argument = ""]) => argument)
        .filter((argument) => argument.startsWith('"') || argument.startsWith("`"))
        .map((argument) => argument.slice(1, -1)),
    ),
  ),
];

test("every log message and every metric is in the catalogue, and nothing in it is unused", () => {
  expect(listNames("log").toSorted()).toEqual(Object.keys(logMessages).toSorted());
  const written = [...listNames("countOccurrence"), ...listNames("recordSeconds")];
  expect(written.toSorted()).toEqual(Object.keys(metrics).toSorted());
});

test("only the two functions that take a name of the catalogue write logs and metrics", () => {
  const writers = sources
    .filter(({ text }) => /from "@aws-lambda-powertools\/(logger|metrics)"/.test(text))
    .map(({ file }) => file);
  expect(writers.toSorted()).toEqual([
    "lib/platform/runtime/log.ts",
    "lib/platform/runtime/metrics.ts",
  ]);
});

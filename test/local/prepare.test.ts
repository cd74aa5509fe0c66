import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { sourceHash } from "../../infra/local/prepare/input-hash.ts";
import { prepare } from "../../infra/local/prepare/prepare.ts";
import { readAssembly } from "../../infra/local/template/assembly.ts";
import { type LocalFunction, parseHandler } from "../../infra/local/template/functions.ts";
import { readModel } from "../../infra/local/template/model.ts";
import { readConfig } from "../../infra/settings/config.ts";
import { removeFolders, temporaryFolder } from "./fixture-stack.ts";

afterAll(removeFolders);

test("functions are built once for all settings; prices of models are next to the functions that read them", {
  tags: "nightly",
}, async () => {
  const prices = JSON.stringify({ "openai/gpt-5": { input: 1, output: 2 } });
  const file = join(temporaryFolder(), "prices.json");
  writeFileSync(file, prices);
  const { assembly, threadScript, complete } = await prepare(readConfig({ MODEL_PRICES: file }));
  await complete;
  const build = dirname(threadScript);
  expect(basename(build)).toBe(`build-${sourceHash()}`);
  const { functions } = readModel(readAssembly(assembly), "http://127.0.0.1");
  const readsPrices = ({ environment }: LocalFunction) => "MODEL_PRICES" in environment;
  const readers = functions.filter(readsPrices);
  const others = functions.filter((definition) => !readsPrices(definition));
  expect(readers.length).toBeGreaterThan(0);
  for (const { directory, environment } of readers) {
    expect(readFileSync(join(directory, environment.MODEL_PRICES ?? ""), "utf8")).toBe(prices);
  }
  for (const { directory } of others) {
    expect(dirname(realpathSync(directory))).toBe(join(build, "functions"));
  }
  expect(functions.every((fn) => existsSync(parseHandler(fn).file))).toBe(true);
});

import { execFile } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { everyFunction, product } from "../../infra/functions/product.ts";
import { prepareBundles } from "../../infra/local/prepare/prepare.ts";

const functions = everyFunction(product);
const repository = resolve(import.meta.dirname, "../..");

/** Away from `node_modules`, as on Lambda. */
let outdir: string;
/** Code of each function's files. */
const files = new Map<string, ReadonlyMap<string, string>>();
beforeAll(async () => {
  outdir = await mkdtemp(join(tmpdir(), "wharf-product-"));
  const bundles = prepareBundles();
  await bundles.complete;
  await cp(bundles.functions, outdir, { recursive: true });
  for (const { name } of functions) files.set(name, await readCode(join(outdir, name)));
}, 120_000);
afterAll(() => rm(outdir, { recursive: true }));

const readCode = async (directory: string): Promise<Map<string, string>> => {
  const names = (await readdir(directory)).filter((file) => file.endsWith(".mjs"));
  return new Map(
    await Promise.all(
      names.map(async (file) => [file, await readFile(join(directory, file), "utf8")] as const),
    ),
  );
};

const matches = (pattern: RegExp, text: string): string[] =>
  [...text.matchAll(pattern)].flatMap(([, found]) => found ?? []);

/** Specifiers of the packages that the sources import when they are first used. */
const lazySpecifiers = async (): Promise<string[]> => {
  const texts = await Promise.all(
    ["lib", "functions"].map(async (folder) => {
      const entries = await readdir(join(repository, folder), { recursive: true });
      const sources = entries.filter((file) => file.endsWith(".ts") && !file.includes(".test."));
      return Promise.all(sources.map((file) => readFile(join(repository, folder, file), "utf8")));
    }),
  );
  const found = texts.flat().flatMap((text) => matches(/await import\("([^".][^"]*)"\)/g, text));
  return [...new Set(found)].sort();
};

/** A package becomes a file named for its specifier. */
const toFileName = (specifier: string): string =>
  `${specifier.replaceAll(/[^A-Za-z0-9]+/g, "-").replace(/^-/, "")}.mjs`;

/** Names that Node adds to a CommonJS module. */
const interop: ReadonlySet<string> = new Set(["default", "module.exports", "__esModule"]);

const Exports = z.record(z.string(), z.record(z.string(), z.string()));

/** Imports modules as Node does, in a thread where nothing transforms them; returns the types of their exports. */
const importAll = async (specifiers: readonly string[]): Promise<z.output<typeof Exports>> => {
  const worker = new Worker(
    `const { parentPort, workerData } = require("node:worker_threads");
     const listTypes = (members) => Object.fromEntries(
       Object.entries(members).map(([name, member]) => [name, typeof member]));
     (async () => {
       const found = {};
       for (const each of workerData) found[each] = listTypes(await import(each));
       parentPort.postMessage(found);
     })();`,
    { eval: true, workerData: specifiers },
  );
  const [exports] = await once(worker, "message");
  await worker.terminate();
  return Exports.parse(exports);
};

describe("of the product's built functions", () => {
  test("every function has the files that its code loads next to it", { tags: "nightly" }, () => {
    for (const [name, codes] of files) {
      for (const [file, code] of codes) {
        const loaded = matches(/(?:from|import|import\()\s*"\.\/([^"]+)"/g, code);
        for (const loadedFile of loaded)
          expect([...codes.keys()], `${name}/${file}`).toContain(loadedFile);
      }
    }
  });

  test("every file that is loaded on first use loads from the bundle alone", {
    tags: "nightly",
  }, async () => {
    const distinct = new Map<string, string>();
    for (const [name, codes] of files) {
      for (const [file, code] of codes) {
        if (file !== "index.mjs") distinct.set(code, pathToFileURL(join(outdir, name, file)).href);
      }
    }
    const loaded = await importAll([...distinct.values()]);
    expect(Object.keys(loaded)).toEqual([...distinct.values()]);
  });

  test("a package that is loaded on first use has every named export that it has in Node", {
    tags: "nightly",
  }, async () => {
    const specifiers = await lazySpecifiers();
    expect(specifiers).toContain("@notionhq/client");
    const bundles = specifiers.map((specifier) => {
      const [carrier] = [...files].find(([, codes]) => codes.has(toFileName(specifier))) ?? [];
      expect(carrier, specifier).toBeDefined();
      return pathToFileURL(join(outdir, carrier ?? "", toFileName(specifier))).href;
    });
    const [inNode, bundled] = [await importAll(specifiers), await importAll(bundles)];
    for (const [at, specifier] of specifiers.entries()) {
      const named = Object.entries(inNode[specifier] ?? {}).filter(([name]) => !interop.has(name));
      expect(bundled[bundles[at] ?? ""], specifier).toMatchObject(Object.fromEntries(named));
    }
  });

  test("only those that call models carry a model package", () => {
    for (const { name, access } of functions) {
      const carries = [...(files.get(name)?.keys() ?? [])].some((file) =>
        file.startsWith("ai-sdk-"),
      );
      expect(carries, name).toBe(access.models === true);
    }
  });

  test("none imports a module of Node, which would read all its members", () => {
    for (const [name, codes] of files) {
      for (const [file, code] of codes) {
        expect(matches(/((?:from|import\()\s*"node:[^"]+")/g, code), `${name}/${file}`).toEqual([]);
      }
    }
  });

  test("none loads Node's fetch before it is used", { tags: "nightly" }, async () => {
    const script = `await import(${JSON.stringify(pathToFileURL(join(outdir, "get-agent", "index.mjs")))});
      console.log(process.moduleLoadList.filter((name) => name.includes("undici")));`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "--eval", script],
      { env: { AWS_REGION: "eu-central-1", TABLE_NAME: "table" } },
    );
    expect(stdout.trim()).toBe("[]");
  });

  test("none is larger than a tenth of Lambda's limit of 250 MB", async () => {
    for (const { name } of functions) {
      const names = await readdir(join(outdir, name));
      const sizes = await Promise.all(names.map((file) => stat(join(outdir, name, file))));
      const total = sizes.reduce((sum, { size }) => sum + size, 0);
      expect(total, name).toBeLessThan(25_000_000);
    }
  });
});

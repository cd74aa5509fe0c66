import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as z from "zod";
import { buildFunctions } from "../../infra/build/build-functions.ts";
import { everyFunction, product } from "../../infra/functions/product.ts";
import { awslambda } from "../../infra/local/functions/response-stream.ts";
import { streamedResponse } from "../suites/streamed-response.ts";

let root: string;
let outdir: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "wharf-build-"));
  outdir = join(root, "dist");
  await symlink(resolve(import.meta.dirname, "../../node_modules"), join(root, "node_modules"));
});
afterEach(() => rm(root, { recursive: true }));

const source = async (file: string, code: string): Promise<void> => {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), code);
};
const record = (name: string, ...verbs: string[]) => ({
  name,
  handlers: (verbs.length === 0 ? [""] : verbs).map((verb) => ({
    verb,
    file: `functions/${verb === "" ? name : verb}.ts`,
  })),
});

const Bundle = z.object({ handler: z.custom<(...parameters: unknown[]) => unknown>() });
/** Loads a bundle away from every other file, as Lambda does. */
const load = async (name: string) => {
  const alone = join(root, "alone", name);
  await cp(join(outdir, name), alone, { recursive: true });
  return Bundle.parse(await import(pathToFileURL(join(alone, "index.mjs")).href)).handler;
};
const listFiles = async (name: string): Promise<string[]> =>
  (await readdir(join(outdir, name))).sort();

test("functions that share modules are complete in one file", { tags: "nightly" }, async () => {
  await source("lib/greet.ts", `export const greet = (name: string) => "Hello, " + name;`);
  for (const name of ["ann", "bob"]) {
    await source(
      `functions/${name}.ts`,
      `import { greet } from "../lib/greet.ts"; export const handler = () => greet("${name}");`,
    );
  }
  const built = await buildFunctions({ outdir, root, functions: [record("ann"), record("bob")] });
  expect(built.map(({ name }) => name)).toEqual(["ann", "bob"]);
  expect(await listFiles("ann")).toEqual(["index.mjs"]);
  expect((await load("ann"))({})).toBe("Hello, ann");
  expect((await load("bob"))({})).toBe("Hello, bob");
});

test("CommonJS in a bundle loads Node's own modules, and works without an optional package", async () => {
  await source(
    "lib/old.cjs",
    `let found = "none";
     try { found = typeof require("not-there"); } catch {}
     module.exports = { platform: require("os").platform(), found };`,
  );
  await source(
    "functions/plain.ts",
    `import old from "../lib/old.cjs"; export const handler = () => old;`,
  );
  await buildFunctions({ outdir, root, functions: [record("plain")] });
  expect((await load("plain"))({})).toEqual({ platform: process.platform, found: "none" });
});

test("a package that is imported lazily is a file of its own, in the functions that use it", {
  tags: "nightly",
}, async () => {
  await source("functions/plain.ts", "export const handler = () => 1;");
  await source(
    "functions/lazy.ts",
    `export const handler = async () => {
       const { S3Client } = await import("@aws-sdk/client-s3");
       return typeof S3Client;
     };`,
  );
  const built = await buildFunctions({
    outdir,
    root,
    functions: [record("lazy"), record("plain")],
  });
  expect(await listFiles("lazy")).toEqual(["aws-sdk-client-s3.mjs", "index.mjs"]);
  expect(await listFiles("plain")).toEqual(["index.mjs"]);
  await expect((await load("lazy"))({})).resolves.toBe("function");
  const [lazy, plain] = built;
  expect(lazy?.startBytes).toBeLessThan(1_000);
  expect(lazy?.totalBytes).toBeGreaterThan(100_000);
  expect(plain?.totalBytes).toBe(plain?.startBytes);
});

const modelPackages = {
  "@ai-sdk/openai": `createOpenAI({ apiKey: "k", baseURL })("m")`,
  "@ai-sdk/anthropic": `createAnthropic({ apiKey: "k", baseURL })("m")`,
  "@ai-sdk/google": `createGoogle({ apiKey: "k", baseURL })("m")`,
  "@ai-sdk/amazon-bedrock": `createAmazonBedrock({ region: "r", accessKeyId: "a", secretAccessKey: "s", baseURL })("m")`,
  "@ai-sdk/openai-compatible": `createOpenAICompatible({ name: "n", baseURL })("m")`,
};

test("model packages are self-contained, and their errors are recognized by the start's copy", {
  tags: "nightly",
}, async () => {
  const cases = Object.entries(modelPackages).map(
    ([name, make]) =>
      `"${name}": async () => { const { ${make.split("(")[0]} } = await import("${name}"); return ${make}; }`,
  );
  await source(
    "functions/asking.ts",
    `import { APICallError } from "@ai-sdk/provider";
     const baseURL = "http://127.0.0.1:1/v1";
     const make = { ${cases.join(",\n")} };
     const prompt = [{ role: "user", content: [{ type: "text", text: "x" }] }];
     export const handler = async (name) => {
       try { await (await make[name]()).doGenerate({ prompt }); }
       catch (error) { return APICallError.isInstance(error); }
     };`,
  );
  await source("functions/plain.ts", "export const handler = () => 1;");
  const functions = [record("asking"), record("plain")];
  const [asking] = await buildFunctions({ outdir, root, functions });
  expect(await listFiles("asking")).toEqual([
    ...Object.keys(modelPackages)
      .map((name) => `${name.slice(1).replaceAll("/", "-")}.mjs`)
      .sort(),
    "index.mjs",
  ]);
  expect(await listFiles("plain")).toEqual(["index.mjs"]);
  expect(asking?.startBytes).toBeLessThan(50_000);
  expect(asking?.totalBytes).toBeLessThan(10_000_000);
  const handler = await load("asking");
  for (const name of Object.keys(modelPackages)) {
    await expect(handler(name), name).resolves.toBe(true);
  }
});

test("a function starts with the schemas that it uses, and without the texts of other languages", async () => {
  const functions = everyFunction(product).filter(({ name }) => name === "get-current-api-key");
  const [built] = await buildFunctions({ outdir, functions });
  const code = await readFile(join(outdir, "get-current-api-key", "index.mjs"), "utf8");
  expect(code).toContain("Invalid input");
  expect(code).not.toContain("Ungültige Eingabe");
  expect(built?.startBytes).toBeLessThan(480_000);
});

test("prices of models are next to the bundles of the functions that call models", async () => {
  for (const name of ["asking", "plain"]) {
    await source(`functions/${name}.ts`, "export const handler = () => 1;");
  }
  const functions = [{ ...record("asking"), access: { models: true } as const }, record("plain")];
  await buildFunctions({ outdir, root, functions, modelPrices: "{}" });
  expect(await listFiles("asking")).toEqual(["index.mjs", "model-prices.json"]);
  expect(await readFile(join(outdir, "asking/model-prices.json"), "utf8")).toBe("{}");
  expect(await listFiles("plain")).toEqual(["index.mjs"]);
  await buildFunctions({ outdir, root, functions });
  expect(await listFiles("asking")).toEqual(["index.mjs"]);
});

test("a lazily imported module of the project shares its modules with the start", async () => {
  await source("lib/problem.ts", "export class Problem extends Error {}");
  await source(
    "lib/late.ts",
    `import { Problem } from "./problem.ts"; export const fail = () => { throw new Problem(); };`,
  );
  await source(
    "functions/own.ts",
    `import { Problem } from "../lib/problem.ts";
     export const handler = async () => {
       const { fail } = await import("../lib/late.ts");
       try { fail(); } catch (error) { return error instanceof Problem; }
     };`,
  );
  await buildFunctions({ outdir, root, functions: [record("own")] });
  expect(await listFiles("own")).toEqual(["index.mjs"]);
  await expect((await load("own"))({})).resolves.toBe(true);
});

test("a shared function picks the handler by the verb, and the first for a verb that none has", async () => {
  for (const verb of ["approve", "reject"]) {
    await source(`functions/${verb}.ts`, `export const handler = () => "${verb}";`);
  }
  await buildFunctions({ outdir, root, functions: [record("decide", "approve", "reject")] });
  const handler = await load("decide");
  const call = (p1: string) => handler({ resource: "/requests/{p1}", pathParameters: { p1 } });
  expect(call("7:reject")).toBe("reject");
  expect(call("7%3Areject")).toBe("reject");
  expect(call("7:approve")).toBe("approve");
  expect(call("7:nonsense")).toBe("approve");
  expect(call("%ZZ")).toBe("approve");
});

test("a streaming function responds through the stream from all its handlers", {
  tags: "nightly",
}, async () => {
  await source(
    "functions/live.ts",
    `export const handler = async (event, context, begin) => {
       begin({ status: 201, headers: { a: "b" } }).end("streamed");
     };`,
  );
  await source(
    "functions/plain.ts",
    `export const handler = async () => ({ statusCode: 200, headers: {}, body: "whole" });`,
  );
  const { name, handlers } = record("both", "live", "plain");
  const choices = handlers.map((handler) => ({ ...handler, streams: handler.verb === "live" }));
  await buildFunctions({
    outdir,
    root,
    functions: [
      { name, handlers: choices },
      { name: "alone", handlers: [{ verb: "", file: "functions/live.ts", streams: true }] },
    ],
  });
  vi.stubGlobal("awslambda", awslambda);
  try {
    const invokeBundle = async (bundle: string, p1: string) =>
      streamedResponse(await load(bundle), { resource: "/x/{p1}", pathParameters: { p1 } });
    const live = { head: { statusCode: 201, headers: { a: "b" } }, body: "streamed" };
    expect(await invokeBundle("both", "1:live")).toEqual(live);
    expect(await invokeBundle("both", "1:nonsense")).toEqual(live);
    expect(await invokeBundle("alone", "1")).toEqual(live);
    expect(await invokeBundle("both", "1:plain")).toEqual({
      head: { statusCode: 200, headers: {} },
      body: "whole",
    });
  } finally {
    vi.unstubAllGlobals();
  }
});

test("missing handlers are one error that names them all", async () => {
  await expect(
    buildFunctions({ outdir, root, functions: [record("one"), record("two")] }),
  ).rejects.toThrow("There is no handler in functions/one.ts, functions/two.ts.");
});

test("an SDK client reads its credentials from the environment once", async () => {
  await source(
    "functions/sdk.ts",
    `import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
     const client = new DynamoDBClient({ region: "us-east-1" });
     export const handler = () => client.config.credentials();`,
  );
  await buildFunctions({ outdir, root, functions: [record("sdk")] });
  const code = await readFile(join(outdir, "sdk/index.mjs"), "utf8");
  expect(code).not.toMatch(/sso_start_url|AssumeRoleWithWebIdentity|169\.254\.170\.2/);
  const handler = await load("sdk");
  try {
    for (const key of ["AKIA1", "AKIA2"]) {
      vi.stubEnv("AWS_ACCESS_KEY_ID", key);
      vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
      vi.stubEnv("AWS_SESSION_TOKEN", `token of ${key}`);
      await expect(handler({})).resolves.toMatchObject({
        accessKeyId: "AKIA1",
        sessionToken: "token of AKIA1",
      });
    }
  } finally {
    vi.unstubAllEnvs();
  }
});

test("CommonJS in a bundle finds Node's built-in modules", { tags: "nightly" }, async () => {
  await source("lib/old.cjs", `exports.sep = require("node:path").sep;`);
  await source(
    "functions/old.ts",
    `import { sep } from "../lib/old.cjs"; export const handler = () => sep;`,
  );
  await buildFunctions({ outdir, root, functions: [record("old")] });
  expect((await load("old"))({})).toBe("/");
});

test("a build leaves nothing of an earlier one", { tags: "nightly" }, async () => {
  await source("functions/a.ts", `export const handler = () => import("@aws-sdk/client-sqs");`);
  await source("functions/b.ts", "export const handler = () => 1;");
  await buildFunctions({ outdir, root, functions: [record("a"), record("b")] });
  await source("functions/a.ts", "export const handler = () => 2;");
  await buildFunctions({ outdir, root, functions: [record("a")] });
  expect(await readdir(outdir)).toEqual(["a"]);
  expect(await listFiles("a")).toEqual(["index.mjs"]);
});

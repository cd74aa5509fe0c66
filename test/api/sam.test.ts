import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import * as z from "zod";
import { everyFunction, product } from "../../infra/functions/product.ts";
import { constructId } from "../../infra/settings/names.ts";

const run = promisify(execFile);
const Template = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.literal("AWS::Lambda::Function"),
      Properties: z.object({
        Code: z.string(),
        Handler: z.literal("index.handler"),
        Runtime: z.literal("nodejs24.x"),
        Environment: z.object({ Variables: z.record(z.string(), z.string()) }),
      }),
    }),
  ),
});
const Result = z.object({ statusCode: z.int(), body: z.string() });
const LocalJson = z.looseObject({ apiKey: z.string() });

const out = mkdtempSync(join(tmpdir(), "wharf-sam-"));
const { dataDir } = inject("stack");
let functions: z.output<typeof Template>["Resources"];

beforeAll(async () => {
  const env = { ...process.env, WHARF_DATA_DIR: dataDir };
  const { stdout } = await run(process.execPath, ["infra/commands/sam.ts", "--out", out], { env });
  expect(stdout).toContain("sam local invoke GetCurrentApiKey -t");
  functions = Template.parse(
    JSON.parse(readFileSync(join(out, "template.json"), "utf8")),
  ).Resources;
});
afterAll(() => rmSync(out, { recursive: true }));

/** Runs a function as `sam local invoke` does: its code and its environment alone, and the event from standard input. */
const invoke = async (name: string, event: string) => {
  const { Code, Environment } = functions[name]?.Properties ?? {};
  const script = `
    const { handler } = await import(process.argv[1]);
    const context = { awsRequestId: "1", getRemainingTimeInMillis: () => 20000 };
    const result = await handler(JSON.parse(process.argv[2]), context);
    process.stderr.write(JSON.stringify(result));
    process.exit(0);`;
  const env = { AWS_REGION: "us-east-1", ...Environment?.Variables };
  const bundle = join(resolve(out, Code ?? ""), "index.mjs");
  const args = ["--input-type=module", "-e", script, bundle, event];
  const { stderr } = await run(process.execPath, args, { env });
  return JSON.parse(stderr);
};

test("the template for sam local invoke has every function, by its operation's name", () => {
  expect(Object.keys(functions).toSorted()).toEqual(
    everyFunction(product)
      .map(({ name }) => constructId(name))
      .toSorted(),
  );
});

test("a sample event runs with the code and the environment of the template alone", {
  tags: "nightly",
}, async () => {
  const { apiKey } = LocalJson.parse(JSON.parse(readFileSync(join(dataDir, "local.json"), "utf8")));
  const event = readFileSync("events/get-current-api-key.json", "utf8");
  const result = await invoke(
    "GetCurrentApiKey",
    event.replaceAll("wharf_live_REPLACE_ME", apiKey),
  );
  const { statusCode, body } = Result.parse(result);
  expect(body).toContain('"name":"local runner"');
  expect(statusCode).toBe(200);
  const worker = readFileSync("events/run-execution.json", "utf8");
  expect(await invoke("RunExecution", worker)).toEqual({ batchItemFailures: [] });
});

import { execFile, execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { groupByArea } from "../../infra/functions/areas.ts";
import { everyFunction, product } from "../../infra/functions/product.ts";
import { deletableVariable } from "../../infra/settings/names.ts";
import { isNightly } from "../harness/runs.ts";

const repository = resolve(import.meta.dirname, "../..");
const clone = mkdtempSync(join(tmpdir(), "wharf-clone-"));

beforeAll(() => {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", args, { cwd: repository, encoding: "utf8" });
  for (const file of files.split("\0")) {
    const isNeeded = !/^(docs|events|test)\//.test(file) || file.startsWith("docs/openapi");
    if (file !== "" && isNeeded && existsSync(join(repository, file))) {
      cpSync(join(repository, file), join(clone, file));
    }
  }
  symlinkSync(join(repository, "node_modules"), join(clone, "node_modules"));
  if (!isNightly) stubHandlers();
});
afterAll(() => rmSync(clone, { recursive: true }));

/** Empties the clone's handlers: all of them are built for the local stack, and once in the suite is enough. */
const stubHandlers = (): void => {
  const handlers = everyFunction(product).flatMap((definition) => definition.handlers);
  for (const { file } of handlers) {
    writeFileSync(join(clone, file), "export const handler = async () => undefined;\n");
  }
};

/** Runs a script in the clone by this Node, without an account, and returns what it prints. */
const run = async (file: string, args: readonly string[] = [], more = {}): Promise<string> => {
  const path = [dirname(process.execPath), join(clone, "node_modules/.bin"), process.env.PATH];
  const env = { HOME: clone, PATH: path.join(":"), AWS_EC2_METADATA_DISABLED: "true", ...more };
  const options = { cwd: clone, env };
  return (await promisify(execFile)(process.execPath, [join(clone, file), ...args], options))
    .stdout;
};

const areas = groupByArea(product.http).keys();
const stacks = ["Data", "Workers", ...areas, "Api", "Operations", "Console"]
  .map((name) => `Wharf-${name}`)
  .sort();

const Settings = z.object({ app: z.string(), output: z.literal("cdk.out") });
const Manifest = z.object({ artifacts: z.record(z.string(), z.object({ type: z.string() })) });

test("in a fresh clone the CDK's app synthesizes the stacks: what it needs is built first", {
  tags: "nightly",
  timeout: 300_000,
}, async () => {
  expect(existsSync(join(clone, "dist"))).toBe(false);
  const { app } = Settings.parse(JSON.parse(readFileSync(join(clone, "cdk.json"), "utf8")));
  const [command, file = ""] = app.split(" ");
  expect(command).toBe("node");
  // Deletable stacks are not checked by the rules, which takes half of the time.
  await run(file, [], { CDK_OUTDIR: "cdk.out", [deletableVariable]: "true" });
  const manifest = readFileSync(join(clone, "cdk.out/manifest.json"), "utf8");
  const { artifacts } = Manifest.parse(JSON.parse(manifest));
  const made = Object.entries(artifacts).filter(
    ([, { type }]) => type === "aws:cloudformation:stack",
  );
  expect(made.map(([name]) => name).sort()).toEqual(stacks);
  expect(existsSync(join(clone, "cdk.out/Wharf-Api.template.json"))).toBe(true);
});

test.runIf(isNightly)(
  "the CDK's command line lists and synthesizes the stacks of the clone",
  async () => {
    const cdk = "node_modules/aws-cdk/bin/cdk";
    rmSync(join(clone, "dist"), { recursive: true, force: true });
    expect((await run(cdk, ["ls"])).trim().split("\n").sort()).toEqual(stacks);
    rmSync(join(clone, "cdk.out"), { recursive: true });
    await run(cdk, ["synth", "--quiet"]);
    expect(existsSync(join(clone, "cdk.out/Wharf-Api.template.json"))).toBe(true);
  },
  300_000,
);

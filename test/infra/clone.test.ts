import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { groupByArea } from "../../infra/functions/areas.ts";
import { product } from "../../infra/functions/product.ts";

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
});
afterAll(() => rmSync(clone, { recursive: true }));

/** Runs the CDK command line in the clone, without an account. */
const cdk = async (...args: string[]): Promise<string> => {
  const path = [dirname(process.execPath), join(clone, "node_modules/.bin"), process.env.PATH];
  const env = { HOME: clone, PATH: path.join(":"), AWS_EC2_METADATA_DISABLED: "true" };
  const file = join(clone, "node_modules/aws-cdk/bin/cdk");
  const run = promisify(execFile)(process.execPath, [file, ...args], { cwd: clone, env });
  return (await run).stdout;
};

test("in a fresh clone the CDK lists and synthesizes the stacks: what it needs is built first", async () => {
  expect(existsSync(join(clone, "dist"))).toBe(false);
  const stacks = await cdk("ls");
  const names = ["Data", "Workers", ...groupByArea(product.http).keys(), "Api", "Operations"];
  expect(stacks.trim().split("\n").sort()).toEqual(
    [...names, "Console"].map((name) => `Wharf-${name}`).sort(),
  );
  await cdk("synth", "--quiet");
  expect(existsSync(join(clone, "cdk.out/Wharf-Api.template.json"))).toBe(true);
}, 300_000);

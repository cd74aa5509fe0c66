import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { everyFunction, product } from "../../infra/functions/product.ts";
import { readAssembly } from "../../infra/local/template/assembly.ts";
import { readModel } from "../../infra/local/template/model.ts";
import { createResolver } from "../../infra/local/template/resolve.ts";
import { deployedVariables } from "../../infra/sam/deployed-environment.ts";
import { readConfig } from "../../infra/settings/config.ts";
import { constructId } from "../../infra/settings/names.ts";
import { synthesize } from "../../infra/stacks/synthesize.ts";
import { findLambda, type Synthesized, synthesized } from "./synthesized.ts";

let stacks: Synthesized;
beforeAll(async () => {
  stacks = await synthesized();
});

const Metadata = z.object({
  "aws:asset:path": z.string(),
  "aws:asset:property": z.literal("Code"),
  SamResourceId: z.string(),
});

test("sam local finds every function in the templates by its operation's name, and its code next to them", () => {
  const { resources, directory } = stacks;
  const found = resources("AWS::Lambda::Function").map((fn) => Metadata.parse(fn.Metadata));
  expect(found.map(({ SamResourceId }) => SamResourceId).toSorted()).toEqual(
    everyFunction(product)
      .map(({ name }) => constructId(name))
      .toSorted(),
  );
  for (const { "aws:asset:path": path } of found) {
    expect(existsSync(join(directory, path, "index.mjs")), path).toBe(true);
  }
});

test("with the environment file, a deployed function has the environment with which its handler is tested", {
  tags: "nightly",
}, async () => {
  const local = readAssembly(await assembleLocally());
  const resolver = createResolver(local, "http://queues.example");
  const { functions } = readModel(local, "http://queues.example");
  const exports = new Map(
    local.stacks.flatMap((stack) =>
      Object.values(stack.Outputs).flatMap(({ Value, Export }) =>
        Export === undefined
          ? []
          : [[String(Export.Name), String(resolver.resolve(stack, Value, "Outputs"))] as const],
      ),
    ),
  );
  const origin = [
    ...stacks.text.matchAll(/"(Wharf-Data:ExportsOutputRefOriginSecret\w+)"/g),
  ][0]?.[1];
  exports.set(origin ?? "", "arn:aws:secretsmanager:us-east-1:000000000000:secret:origin");
  const templates = stacks.templates.map(({ text }) => JSON.parse(text));
  const pseudo = {
    "AWS::Region": "us-east-1",
    "AWS::Partition": "aws",
    "AWS::URLSuffix": "amazonaws.com",
  };
  const parameters = deployedVariables(templates, { exports, pseudo });
  expect(parameters.ORIGIN_SECRET).toBe("");
  expect(functions).toHaveLength(everyFunction(product).length);
  for (const { name, environment } of functions) {
    const declared = findLambda(stacks, name.slice("Wharf-".length)).environment;
    const given = Object.entries(declared)
      .filter(([variable]) => variable !== "ORIGIN_SECRET")
      .map(([variable, value]) => [variable, parameters[variable] ?? value]);
    expect(Object.fromEntries(given), name).toEqual(environment);
  }
  exports.clear();
  expect(() => deployedVariables(templates, { exports, pseudo })).toThrow("Run npm run synth");
});

/** Synthesizes the stacks as the local stack does, with the settings of a deployment. */
const assembleLocally = (): Promise<string> => {
  const outdir = mkdtempSync(join(tmpdir(), "wharf-sam-"));
  onTestFinished(() => rmSync(outdir, { recursive: true }));
  const codeDirectory = () => join(outdir, "code");
  return synthesize({ outdir, config: readConfig({}), local: true, codeDirectory });
};

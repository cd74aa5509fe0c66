import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, inject, test } from "vitest";
import { helloRevision } from "../../infra/local/seed-agents.ts";
import { newOrganization } from "../harness/api.ts";
import { endsAsShown } from "./shown.ts";

const readme = readFileSync(new URL("../../client/README.md", import.meta.url), "utf8");
const blocks = [...readme.matchAll(/^```ts\n(?<code>.*?)^```\n\n```text\n(?<shown>.*?)^```/gms)];
const programs = ["credentials", "paging", "events", "files", "problems"];

const describeRevision = {
  parametersMetadata: [{ name: "order", type: "File", required: true }],
  flow: {
    steps: [
      {
        id: "result",
        type: "Output",
        value: "{% input.order.name %} has {% input.order.bytes %} bytes.",
      },
    ],
    edges: [],
  },
};

let environment: Record<string, string>;
beforeAll(async () => {
  const own = await newOrganization();
  await own.deployAgent("hello", helloRevision, "Hello");
  await own.deployAgent("triage", helloRevision, "Triage");
  await own.deployAgent("describe", describeRevision, "Describe");
  environment = {
    WHARF_URL: inject("stack").baseUrl,
    WHARF_TENANT: own.slug,
    WHARF_TOKEN: own.token,
    WHARF_API_KEY: await own.mintKey(["agents:execute"]),
  };
});

test.each(programs.map((name, at) => [name, at] as const))(
  "the README's program for %s is typed, and prints what the README shows",
  { tags: "nightly" },
  async (name, at) => {
    const file = join(import.meta.dirname, "client", `${name}.ts`);
    const program = readFileSync(file, "utf8").replace("../../../client/index.ts", "@wharf/client");
    expect(blocks[at]?.groups?.code).toBe(program);
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env: environment });
    const shown = blocks[at]?.groups?.shown ?? "";
    expect(endsAsShown(shown, stdout) ? undefined : { shown, stdout }).toBeUndefined();
  },
);

test("the README has no other program", () => {
  expect(readme.match(/^```ts$/gm)).toHaveLength(programs.length);
});

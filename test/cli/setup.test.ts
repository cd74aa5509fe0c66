import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { keyId } from "./records.ts";
import { newHome, type Run, runAtTerminal, runWharf } from "./run-wharf.ts";
import { json, problem, type Responder, type StandIn, startStandIn } from "./stand-in.ts";

let api: StandIn;
/** Responses by method and the end of the path; others are 404. */
let replies: Record<string, Responder>;

const named = ({ method, url }: StandIn["requests"][number]): string =>
  `${method} ${url.pathname.replace("/v1/tenants/demo", "")}`;

beforeAll(async () => {
  api = await startStandIn((arrived, response) => {
    const reply = replies[named(arrived)];
    if (reply) reply(arrived, response);
    else problem(response, 404, "not-found");
  });
});
afterAll(() => api.close());

const config = keyId(1);
const secret = "sk-very-secret";

beforeEach(() => {
  api.requests.length = 0;
  replies = {
    "POST /llm-providers": (_, response) => json(response, { id: "ours", type: "openai" }, 201),
    "POST /integration-configs": (_, response) =>
      json(response, { id: config, mcpKey: { id: keyId(2), key: "wharf_live_once" } }, 201),
    [`POST /integration-configs/${config}:publish`]: (_, response) =>
      json(response, { id: config, publishedRevision: 1, mcpKey: { id: keyId(2), key: null } }),
    [`DELETE /integration-configs/${config}`]: (_, response) => void response.writeHead(204).end(),
  };
});

const environment = () => ({ WHARF_URL: api.url, WHARF_TENANT: "demo", WHARF_TOKEN: "a-token" });
const wharf = (args: string[], more: Parameters<typeof runWharf>[1] = {}): Promise<Run> =>
  runWharf(args, { ...more, env: { ...environment(), ...more.env } });
const asked = (): string[] => api.requests.map(named);

const createProvider = ["providers", "create", "ours", "--type", "openai"];

describe("the API key of a model provider", () => {
  test("is read from a file, standard input, the environment or a prompt, and not printed", async () => {
    const home = newHome();
    writeFileSync(join(home, "key.txt"), `${secret}\n`);
    const runs = [
      await wharf([...createProvider, "--api-key-file", "key.txt"], { home }),
      await wharf([...createProvider, "--api-key-file", "-"], { stdin: secret }),
      await wharf([...createProvider, "--api-key-env", "OUR_KEY"], { env: { OUR_KEY: secret } }),
      await runAtTerminal(createProvider, `${secret}\n`, { env: environment() }),
    ];
    for (const { exitCode, stdout, stderr } of runs) {
      expect([exitCode, stdout]).toEqual([0, ""]);
      expect(stderr).toContain("Created ours. Next: wharf providers test ours --model MODEL\n");
      expect(stderr).not.toContain(secret);
    }
    expect(asked()).toEqual(runs.map(() => "POST /llm-providers"));
  });

  test.each([
    ["no source", [], "use --api-key-file FILE, --api-key-file - for standard input, or --api"],
    ["an argument", ["--api-key", secret], "a secret as an argument stays in the shell's history"],
    ["a variable that is not set", ["--api-key-env", "NONE"], '"NONE" is not set'],
    ["two sources", ["--api-key-env", "A", "--api-key-file", "-"], "not both"],
    ["an empty file", ["--api-key-file", "-"], "--api-key-file is empty"],
  ])("is asked for, and nothing is sent, with %s", async (_, args, words) => {
    const run = await wharf([...createProvider, ...args]);
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(run.stderr).toContain(words);
    expect(run.stderr).not.toContain(secret);
    expect(asked()).toEqual([]);
  });
});

describe("the credentials of an integration", () => {
  const create = ["integrations", "create", "github"];

  test("come from the environment and a file, and the config is published if asked", async () => {
    const run = await wharf(
      [...create, "--credential-env", "token=TOKEN", "--credentials-file", "-", "--publish"],
      { env: { TOKEN: secret }, stdin: `{"password": "${secret}"}` },
    );
    expect(run.stderr).toBe(`Created ${config}.\nPublished revision 1.\n`);
    expect(asked()).toEqual([
      "POST /integration-configs",
      `POST /integration-configs/${config}:publish`,
    ]);
  });

  test.each([
    ["a variable that is not set", ["--credential-env", "token=NONE"], '"NONE" is not set'],
    ["a pair without a name", ["--credential-env", "TOKEN"], "must be name=variable"],
    ["a file that is not JSON", ["--credentials-file", "-"], "trailing comma at line 1, column 27"],
  ])("are refused with %s, without their values", async (_, args, words) => {
    const run = await wharf([...create, ...args], { stdin: `{"token": "${secret}",}` });
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(run.stderr).toContain(words);
    expect(run.stderr).not.toContain(secret);
    expect(asked()).toEqual([]);
  });
});

describe("wharf mcp create", () => {
  test("prints the server's address and its key once", async () => {
    const { stdout } = await wharf(["mcp", "create", "--agent", "hello"]);
    expect(stdout).toContain(`${api.url}/v1/tenants/demo/mcp/${config}\n`);
    expect(stdout).toContain("wharf_live_once\n");
    const { stdout: shown } = await wharf(["mcp", "create", "--agent", "hello", "--json"]);
    expect(JSON.parse(shown)).toMatchObject({ mcpKey: { key: "wharf_live_once" } });
  });

  test("leaves no config when it cannot be published", async () => {
    replies[`POST /integration-configs/${config}:publish`] = (_, response) =>
      problem(response, 409, "conflict");
    const run = await wharf(["mcp", "create", "--agent", "hello"]);
    expect(run).toMatchObject({ exitCode: 1, stdout: "" });
    expect(run.stderr).toContain("so it was deleted again");
    expect(asked().at(-1)).toBe(`DELETE /integration-configs/${config}`);
  });

  test("needs something to offer", async () => {
    expect((await wharf(["mcp", "create"])).exitCode).toBe(2);
    expect(asked()).toEqual([]);
  });
});

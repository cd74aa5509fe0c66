import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newHome, runWharf } from "./run-wharf.ts";
import { json, type StandIn, startStandIn } from "./stand-in.ts";

let one: StandIn;
let other: StandIn;

beforeAll(async () => {
  [one, other] = await Promise.all([startEmpty(), startEmpty()]);
});
const startEmpty = () =>
  startStandIn((_, response) => json(response, { items: [], nextPageToken: null }));
afterAll(() => Promise.all([one.close(), other.close()]));
beforeEach(() => {
  one.requests.length = 0;
  other.requests.length = 0;
});

const writeJson = (folder: string, name: string, value: unknown): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), JSON.stringify(value));
};

const homeWith = ({ saved, local }: { saved?: unknown; local?: unknown }): string => {
  const home = newHome();
  if (saved) writeJson(join(home, "config/wharf"), "credentials.json", saved);
  if (local) writeJson(join(home, ".wharf"), "local.json", local);
  return home;
};

const saved = () => ({ url: one.url, tenant: "saved", token: "saved-token" });
const local = (url: string) => ({
  baseUrl: url,
  tenantSlug: "local",
  userToken: "local-token",
  apiKey: "key",
});

const askedFor = ({ requests }: StandIn): string[] =>
  requests.map(({ url, headers }) =>
    [url.pathname, headers.authorization ?? `key ${headers["x-api-key"]}`].join(" "),
  );

describe("where the tool calls, and as whom", () => {
  it("uses the saved login", async () => {
    const home = homeWith({ saved: saved(), local: local(other.url) });
    const run = await runWharf(["keys", "list"], { home });
    expect(run).toEqual({ exitCode: 0, stdout: "", stderr: "No keys found.\n" });
    expect(askedFor(one)).toEqual(["/v1/tenants/saved/apiKeys Bearer saved-token"]);
    expect(other.requests).toEqual([]);
  });

  it("prefers the environment to the saved login, and options to both", async () => {
    const env = { WHARF_URL: "http://127.0.0.1:1", WHARF_TENANT: "env", WHARF_TOKEN: "env-token" };
    const home = homeWith({ saved: saved() });
    const run = await runWharf(["--url", other.url, "keys", "list", "--tenant", "option"], {
      home,
      env,
    });
    expect(run.exitCode).toBe(0);
    expect(askedFor(other)).toEqual(["/v1/tenants/option/apiKeys Bearer env-token"]);
    const plain = await runWharf(["keys", "list"], {
      home,
      env: { ...env, WHARF_URL: `${other.url}/` },
    });
    expect(plain.exitCode).toBe(0);
    expect(askedFor(other).at(-1)).toBe("/v1/tenants/env/apiKeys Bearer env-token");
    expect(one.requests).toEqual([]);
  });

  it("reads an API key from the environment", async () => {
    const env = { WHARF_URL: `${one.url}/stage`, WHARF_TENANT: "demo", WHARF_API_KEY: "key-1" };
    expect((await runWharf(["keys", "list"], { env })).exitCode).toBe(0);
    expect(askedFor(one)).toEqual(["/stage/v1/tenants/demo/apiKeys key key-1"]);
  });

  it("reads no file when the environment is complete, whatever state the file is in", async () => {
    const env = { WHARF_URL: one.url, WHARF_TENANT: "demo", WHARF_TOKEN: "env-token" };
    const run = await runWharf(["keys", "list"], { home: homeWith({ saved: "damaged" }), env });
    expect(run.exitCode).toBe(0);
  });

  it("uses ./.wharf/local.json when nothing else is set", async () => {
    const run = await runWharf(["keys", "list"], { home: homeWith({ local: local(one.url) }) });
    expect(run.exitCode).toBe(0);
    expect(askedFor(one)).toEqual(["/v1/tenants/local/apiKeys Bearer local-token"]);
  });

  it("uses local.json in WHARF_DATA_DIR, and in no other folder", async () => {
    const home = homeWith({ local: local(other.url) });
    writeJson(join(home, "data"), "local.json", local(one.url));
    const env = { WHARF_DATA_DIR: "data" };
    expect((await runWharf(["keys", "list"], { home, env })).exitCode).toBe(0);
    expect(askedFor(one)).toEqual(["/v1/tenants/local/apiKeys Bearer local-token"]);
    const missing = await runWharf(["keys", "list"], { home, env: { WHARF_DATA_DIR: "none" } });
    expect(missing.exitCode).toBe(2);
    expect(missing.stderr).toContain(join(home, "none", "local.json"));
    expect(other.requests).toEqual([]);
  });

  it("sends an API key of the environment to the local product of local.json, and to no other address", async () => {
    const env = { WHARF_API_KEY: "key-1" };
    const home = homeWith({ local: local(one.url) });
    expect((await runWharf(["keys", "list"], { home, env })).exitCode).toBe(0);
    expect(askedFor(one)).toEqual(["/v1/tenants/local/apiKeys key key-1"]);
    const elsewhere = homeWith({ local: local("http://wharf.example.com") });
    const refused = await runWharf(["keys", "list"], { home: elsewhere, env });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain("which is not on this machine. Set --url or WHARF_URL.");
  });

  it("never sends a token of the environment to where a local.json points", async () => {
    const home = homeWith({ local: local(one.url) });
    const run = await runWharf(["keys", "list"], { home, env: { WHARF_TOKEN: "env-token" } });
    expect(run.exitCode).toBe(2);
    expect(one.requests).toEqual([]);
  });

  it("never sends a saved token to another URL than it was saved for", async () => {
    const home = homeWith({ saved: saved() });
    const run = await runWharf(["keys", "list", "--url", other.url], { home });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(`are for ${one.url}`);
    expect(run.stderr).not.toContain("saved-token");
    expect(other.requests).toEqual([]);
  });

  it.each([
    ["nothing is set", {}, "You are not logged in."],
    [
      "two credentials are set",
      { WHARF_TOKEN: "a", WHARF_API_KEY: "b" },
      "WHARF_TOKEN or WHARF_API_KEY, not both",
    ],
    ["the URL is none", { WHARF_TOKEN: "a", WHARF_URL: "example.com" }, "WHARF_URL must be a URL"],
    ["the tenant would change the path", { WHARF_TOKEN: "a", WHARF_TENANT: ".." }, "WHARF_TENANT"],
  ])("ends with 2 when %s", async (_, env: Record<string, string>, words) => {
    const run = await runWharf(["keys", "list"], { env });
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(run.stderr).toContain(words);
  });
});

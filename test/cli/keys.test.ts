import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { presets, scopeEntries } from "../../lib/platform/auth/scopes.ts";
import { eventRecord, keyId, keyRecord } from "./records.ts";
import { type Run, runAtTerminal, runWharf, spawnShell, spawnWharf } from "./run-wharf.ts";
import { type Arrived, json, page, type StandIn, startStandIn } from "./stand-in.ts";

const catalog = {
  scopes: scopeEntries,
  presets: Object.entries(presets).map(([name, scopes]) => ({ name, scopes })),
};

let keys: unknown[] = [];
let events: unknown[] = [];
let api: StandIn;

beforeAll(async () => {
  api = await startStandIn((arrived, response) => {
    const path = arrived.url.pathname;
    if (arrived.method === "DELETE") response.writeHead(204).end();
    else if (path.endsWith("/scopes")) json(response, catalog);
    else page(response, arrived, path.endsWith("/auditEvents") ? events : keys);
  });
});
afterAll(() => api.close());
beforeEach(() => {
  api.requests.length = 0;
});

const env = () => ({ WHARF_URL: api.url, WHARF_TENANT: "demo", WHARF_TOKEN: "a-token" });
const wharf = (...args: string[]): Promise<Run> => runWharf(args, { env: env() });

const asked = ({ method, url }: Arrived): string => `${method} ${url.pathname}${url.search}`;

const deletions = (): string[] =>
  api.requests.filter(({ method }) => method === "DELETE").map(asked);

describe("wharf keys list", () => {
  it("shows aligned columns and times in UTC", async () => {
    keys = [
      keyRecord(1, { expiresAt: "2030-01-01T00:00:00.000Z", scopes: ["agents:execute"] }),
      keyRecord(2, { name: "A longer name 日本", lastUsedAt: 1_763_596_860_000 }),
    ];
    const { exitCode, stdout, stderr } = await wharf("keys", "list");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout.split("\n")).toEqual([
      "ID                                    NAME                STATUS  KEY               LAST USED             EXPIRES               CREATED               SCOPES",
      `${keyId(1)}  Key 1               Active  wharf_live_…9xQ2  never                 2030-01-01T00:00:00Z  2025-11-20T00:00:00Z  agents:execute`,
      `${keyId(2)}  A longer name 日本  Active  wharf_live_…9xQ2  2025-11-20T00:01:00Z  never                 2025-11-20T00:00:00Z  agents:execute, traces:write`,
      "",
    ]);
  });

  it("prints the API's records as JSON, members and scopes of a later version included", async () => {
    keys = [keyRecord(1, { scopes: ["flights:book"], color: "green" })];
    const { exitCode, stdout } = await wharf("keys", "list", "--json");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ items: keys });
    expect((await wharf("keys", "list")).stdout).toContain("flights:book");
  });

  it("pages through 450 keys, once and in order", { tags: "nightly" }, async () => {
    keys = Array.from({ length: 450 }, (_, n) => keyRecord(n));
    const { stdout } = await spawnWharf(["keys", "list", "--json", "--include-revoked"], {
      env: env(),
    });
    expect(JSON.parse(stdout)).toEqual({ items: keys });
    expect(api.requests.map(asked)).toEqual(
      [0, 200, 400].map(
        (skip) =>
          `GET /v1/tenants/demo/apiKeys?includeRevoked=true&PageSize=200&PageToken.Skip=${skip}`,
      ),
    );
  });

  it("requests no more than --limit", async () => {
    keys = Array.from({ length: 450 }, (_, n) => keyRecord(n));
    const { stdout } = await wharf("keys", "list", "--json", "--limit", "250");
    expect(JSON.parse(stdout)).toEqual({ items: keys.slice(0, 250) });
    expect(api.requests.map(({ url }) => url.searchParams.get("PageSize"))).toEqual(["200", "50"]);
  });

  it("ends quietly when its reader has seen enough", { tags: "nightly" }, async () => {
    keys = Array.from({ length: 450 }, (_, n) => keyRecord(n));
    const { stdout, stderr } = await spawnShell(
      '{ $WHARF keys list --json; echo "exit $?" >&2; } | head -n 1',
      { env: env() },
    );
    expect({ stdout, stderr }).toEqual({ stdout: "{\n", stderr: "exit 0\n" });
  });

  it("prints no control characters of a name", async () => {
    keys = [keyRecord(1, { name: "\u001b[2Jevil\nrow\u202e" })];
    const { stdout } = await wharf("keys", "list");
    expect(stdout).toContain("�[2Jevil�row�");
    expect(stdout.split("\n")).toHaveLength(3);
  });

  it("prints an empty list as such", async () => {
    keys = [];
    expect(await wharf("keys", "list")).toMatchObject({ exitCode: 0, stdout: "" });
    expect(JSON.parse((await wharf("keys", "list", "--json")).stdout)).toEqual({ items: [] });
  });
});

describe("wharf keys revoke", () => {
  const path = `DELETE /v1/tenants/demo/apiKeys/${keyId(1)}`;

  it.each(["revoke", "delete"])("%s --yes revokes without asking", async (name) => {
    const run = await wharf("keys", name, keyId(1), "--yes", "--json");
    expect(run).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(run.stdout)).toEqual({ id: keyId(1), revoked: true });
    expect(deletions()).toEqual([path]);
  });

  it("revokes after a yes at a terminal", async () => {
    const run = await runAtTerminal(["keys", "revoke", keyId(1)], "y\r", { env: env() });
    expect(run).toMatchObject({ exitCode: 0, stdout: "" });
    expect(run.stderr).toContain(`Revoke key ${keyId(1)} of demo`);
    expect(deletions()).toEqual([path]);
  });

  it.each([
    ["no", "n\r", 1],
    ["nothing", "\r", 1],
    ["another word", "yesterday\r", 1],
    ["the end of input", "\u0004", 1],
    ["Ctrl-C", "\u0003", 130],
  ])("revokes nothing when the reply to the prompt is %s", async (_, typed, exitCode) => {
    const run = await runAtTerminal(["keys", "revoke", keyId(1)], typed, { env: env() });
    expect(run).toMatchObject({ exitCode, stdout: "" });
    expect(deletions()).toEqual([]);
  });

  it("refuses without a terminal and without --yes, whatever is piped in", {
    tags: "nightly",
  }, async () => {
    const run = await spawnWharf(["keys", "revoke", keyId(1)], { env: env(), stdin: "y\n" });
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(run.stderr).toContain("--yes");
    expect(deletions()).toEqual([]);
  });
});

describe("wharf keys history", () => {
  it("shows actors and changes, and the API's records as JSON", async () => {
    events = [
      eventRecord(2),
      eventRecord(1, {
        type: "Issued",
        actor: { type: "ApiKey", id: keyId(9), email: null },
        previousScopes: null,
        newScopes: ["agents:read"],
        newExpiresAt: null,
      }),
    ];
    const { exitCode, stdout } = await wharf("keys", "history", keyId(1));
    expect(exitCode).toBe(0);
    const [, changed, issued] = stdout.split("\n").map((line) => line.split(/ {2,}/));
    expect(changed).toEqual([
      "2025-11-20T00:00:00Z",
      "ScopesChanged",
      "admin@example.com",
      "192.0.2.7",
      "request-7",
      "+traces:write, -agents:read, expires 2030-01-01T00:00:00Z",
    ]);
    expect(issued?.slice(1)).toEqual([
      "Issued",
      `ApiKey ${keyId(9)}`,
      "192.0.2.7",
      "request-7",
      "+agents:read",
    ]);
    const inJson = await wharf("keys", "history", keyId(1), "--json", "--limit", "1");
    expect(JSON.parse(inJson.stdout)).toEqual({ items: events.slice(0, 1) });
    expect(api.requests.map(asked).at(-1)).toBe(
      `GET /v1/tenants/demo/apiKeys/${keyId(1)}/auditEvents?PageSize=1&PageToken.Skip=0`,
    );
  });
});

describe("wharf keys scopes", () => {
  it("shows the live catalog and the presets, and the API's response as JSON", {
    tags: "nightly",
  }, async () => {
    const { stdout } = await wharf("keys", "scopes");
    expect(stdout).toMatch(/^agents:execute +Run deployed agents$/m);
    expect(stdout).toMatch(/^Runner +agents:execute, traces:write$/m);
    expect(JSON.parse((await wharf("keys", "scopes", "--json")).stdout)).toEqual(catalog);
  });
});

describe("wharf keys", () => {
  it.each(["rotate", "generate"])(
    "sends whoever wants to %s to the console and the API",
    async (name) => {
      const run = await wharf("keys", name);
      expect(run).toMatchObject({ exitCode: 2, stdout: "" });
      expect(run.stderr).toContain("in the console");
      expect(run.stderr).toContain(`:${name}`);
    },
  );
});

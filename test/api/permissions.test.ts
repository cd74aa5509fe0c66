import { beforeAll, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { call, expectProblem, newOrganization, stack, type TestResponse } from "../harness/api.ts";
import { isNightly } from "../harness/runs.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;
type Credentials = { token?: string; key?: string };

const Created = z.looseObject({ id: z.string() });
const Issued = z.looseObject({ id: z.string(), key: z.string() });
const Catalog = z.looseObject({ scopes: z.array(z.looseObject({ scope: z.string() })) });
const Exposure = z.looseObject({ exposeMcp: z.boolean(), publishedRevision: z.int() });
const Exposed = z.looseObject({ id: z.string(), mcpKey: Issued });

const output = (value: string) => ({
  flow: { steps: [{ id: "out", type: "Output", value }], edges: [] },
});
const usesTarget = {
  flow: { steps: [{ id: "sub", type: "SubAgent", agentId: "target" }], edges: [] },
};
const scheduled = {
  ...output("hi"),
  jobPolicyConfigs: [
    { scheduleFrequency: "monthly", scheduleHour: "0", scheduleDayOfMonth: "_1", prompt: "x" },
  ],
};

let own: Organization;
let allScopes: string[];

const post = async (path: string, body?: unknown) => (await own.send("POST", path, body)).body;
const parseId = (body: unknown) => Created.parse(body).id;
const as = (credentials: Credentials) => (method: string, path: string, body?: unknown) =>
  own.try(method, path, { token: undefined, ...credentials, body });

/** Whether an attempt was allowed: it succeeded, or was refused for want of rights and nothing else. */
const isAllowed = (response: TestResponse): boolean => {
  if (response.status < 300) return true;
  expect(expectProblem(response), response.text).toMatchObject({
    slug: "insufficient-scope",
    status: 403,
  });
  return false;
};

/** A user of the organization with a role at the agent `target`, or none. */
const userWith = async (
  role: string | undefined,
  preset = "admin",
): Promise<{ id: string; token: string }> => {
  const id = `${role ?? "nobody"}-${preset}-${crypto.randomUUID()}`;
  if (role) await own.send("PUT", `/agents/target/collaborators/${id}`, { role });
  return { id, token: await stack().token({ org: own.org, role: preset, user: id }) };
};
const mintAs = async (credentials: Credentials, scopes: readonly string[]) => {
  const minted = await as(credentials)("POST", "/apiKeys:generate", { name: "k", scopes });
  return Issued.parse(minted.body);
};

beforeAll(async () => {
  own = await newOrganization();
  const catalog = Catalog.parse((await own.send("GET", "/apiKeys/scopes")).body);
  allScopes = catalog.scopes.map(({ scope }) => scope);
  await own.deployAgent("target", output("hi"));
  await post("/agents/target/revisions", scheduled);
  await own.deployAgent("flow", output("plain"));
  await post("/agents/flow/revisions", usesTarget);
  await post("/agents/flow/revisions", usesTarget);
});

/** Creates a webhook and a connector of the target, and configs that offer it as a tool. */
const prepareWays = async () => {
  const webhook = parseId(await post("/webhooks", { provider: "generic" }));
  const subscriptions = `/webhooks/${webhook}/subscriptions`;
  const connectors = "/agents/target/connectors";
  const generic = { provider: "generic", parameters: { replyUrl: "https://example.com/reply" } };
  const connector = parseId(await post(connectors, generic));
  await post(subscriptions, { subscriberType: "Agent", subscriberId: "target" });
  const inbound = await own.mintKey(["inbound:deliver"]);
  await call("POST", `${own.base}/webhooks/generic/${webhook}/${inbound}`, { body: {} });
  const delivery = await vi.waitFor(
    async () => {
      const { body } = await own.send("GET", `/webhooks/${webhook}/deliveries`);
      return Created.parse(z.looseObject({ items: z.array(Created) }).parse(body).items[0]).id;
    },
    { timeout: 15_000 },
  );
  const offering = { integrationId: "system", parameters: { agents: ["target"] } };
  const offered = Exposed.parse(
    await post("/integration-configs", { ...offering, exposeMcp: true }),
  );
  await post(`/integration-configs/${offered.id}:publish`);
  const hidden = parseId(await post("/integration-configs", offering));
  const plain = { integrationId: "system", exposeMcp: true };
  const next = parseId(await post("/integration-configs", plain));
  await post(`/integration-configs/${next}:publish`);
  await own.send("PATCH", `/integration-configs/${next}`, { parameters: { agents: ["target"] } });
  const open = parseId(await post("/integration-configs", plain));
  return {
    webhook,
    subscriptions,
    connectors,
    connector,
    generic,
    delivery,
    offering,
    offered,
    hidden,
    next,
    open,
  };
};

/** Every way to run the target but `:execute`: an attempt at it, which returns whether it was allowed. */
const buildAttempts = (at: Awaited<ReturnType<typeof prepareWays>>) => {
  const configs = "/integration-configs";
  type Send = ReturnType<typeof as>;
  const ways: Record<string, (send: Send) => Promise<boolean>> = {
    "tools/call over MCP": async (send) => {
      const params = { name: "target", arguments: {} };
      const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
      const response = await send("POST", `/mcp/${at.offered.id}`, message);
      if (!isAllowed(response)) return false;
      const { result } = z.looseObject({ result: z.looseObject({}) }).parse(response.body);
      if (result.isError) expect(response.text).toContain("Insufficient scope");
      return !result.isError;
    },
    "a subscription of the agent": async (send) => {
      const body = { subscriberType: "Agent", subscriberId: "target" };
      return isAllowed(await send("POST", at.subscriptions, body));
    },
    "a subscription of its connector": async (send) => {
      const body = { subscriberType: "Connector", subscriberId: at.connector };
      return isAllowed(await send("POST", at.subscriptions, body));
    },
    "a changed subscription": async (send) => {
      const listed = await own.send("GET", at.subscriptions);
      const [{ id }] = z.tuple([Created], Created).parse(listed.body);
      return isAllowed(await send("PATCH", `${at.subscriptions}/${id}`, { filter: null }));
    },
    "a replay of a delivery": async (send) =>
      isAllowed(await send("POST", `/webhooks/${at.webhook}/deliveries/${at.delivery}:replay`)),
    "a sample event that is sent to its webhook": async (send) =>
      isAllowed(await send("POST", `/webhooks/${at.webhook}:test`)),
    "a webhook that others are to deliver to": async (send) =>
      isAllowed(await send("PATCH", `/webhooks/${at.webhook}`, { externalContext: "x" })),
    "a new connector": async (send) => isAllowed(await send("POST", at.connectors, at.generic)),
    "a connector that is opened": async (send) =>
      isAllowed(await send("PATCH", `${at.connectors}/${at.connector}`, { policy: "AllowAll" })),
    "a deployed schedule": async (send) =>
      isAllowed(await send("POST", "/agents/target/revisions/2:deploy")),
    "a deployed sub-agent": async (send) =>
      isAllowed(await send("POST", "/agents/flow/revisions/2:deploy")),
    "a sub-agent of a revision that is not deployed": async (send) =>
      isAllowed(await send("POST", "/agents/flow:execute", { input: {}, revision: 3 })),
    "a new config that offers it": async (send) =>
      isAllowed(await send("POST", configs, { ...at.offering, exposeMcp: true })),
    "a config that starts to expose MCP": async (send) => {
      const allowed = isAllowed(
        await send("PATCH", `${configs}/${at.hidden}`, { exposeMcp: true }),
      );
      await own.send("PATCH", `${configs}/${at.hidden}`, { exposeMcp: false });
      return allowed;
    },
    "a config that newly names it": async (send) => {
      const body = { parameters: { agents: ["target"] } };
      const allowed = isAllowed(await send("PATCH", `${configs}/${at.open}`, body));
      await own.send("PATCH", `${configs}/${at.open}`, { parameters: {} });
      return allowed;
    },
    "a published revision that newly names it": async (send) => {
      const allowed = isAllowed(await send("POST", `${configs}/${at.next}:publish`));
      await post(`${configs}/${at.next}:publish`, { revision: 1 });
      return allowed;
    },
    "the secret of the config's dedicated key": async (send) =>
      isAllowed(await send("POST", `${configs}/${at.offered.id}:rotate-mcp-key`)),
    "the same secret, among the API keys": async (send) =>
      isAllowed(await send("POST", `/apiKeys/${at.offered.mcpKey.id}:rotate`)),
  };
  return ways;
};

describe("every way to run an agent requires the permission to execute it", () => {
  let ways: ReturnType<typeof buildAttempts>;

  beforeAll(async () => {
    ways = buildAttempts(await prepareWays());
  });

  const roles = ["Owner", "Editor", "Viewer", undefined] as const;
  const withoutRunning = () =>
    allScopes.filter((scope) => scope !== "agents:execute" && scope !== "agents:test");
  const principals: [name: string, may: boolean, make: () => Promise<Credentials>][] =
    roles.flatMap((role) => {
      const may = role !== "Viewer";
      const name = role ?? "no role";
      const token = async (preset: string) => ({ token: (await userWith(role, preset)).token });
      const key = async (scopes: readonly string[]) => ({
        key: (await mintAs(await token("admin"), scopes)).key,
      });
      return [
        [`a user, ${name}`, may, () => token("admin")],
        [`a user, ${name}, without agents:execute`, false, () => token("builder")],
        [`a key of a user, ${name}`, may, () => key(allScopes)],
        [`a key of a user, ${name}, without agents:execute`, false, () => key(withoutRunning())],
        [
          `a key of a key of a user, ${name}`,
          may,
          async () => ({ key: (await mintAs(await key(allScopes), allScopes)).key }),
        ],
      ] satisfies [string, boolean, () => Promise<Credentials>][];
    });

  /**
   * The callers who also try every way in the daily run; the others try a quarter of the ways in
   * turn.
   */
  const exhaustiveCallers = [
    "a user, Editor",
    "a user, Viewer",
    "a user, Editor, without agents:execute",
    "a key of a user, Viewer",
  ];
  const waysFor = (name: string) => {
    const all = Object.entries(ways);
    if (isNightly || exhaustiveCallers.includes(name)) return all;
    const at = principals.findIndex(([principal]) => principal === name);
    return all.filter((_, way) => way % 4 === at % 4);
  };

  test.each(principals)("%s: %s", async (name, may, make) => {
    const send = as(await make());
    const direct = isAllowed(await send("POST", "/agents/target:execute", { input: {} }));
    expect(direct).toBe(may);
    const outcomes: Record<string, boolean> = {};
    const tried = waysFor(name);
    for (const [way, attempt] of tried) outcomes[way] = await attempt(send);
    expect(outcomes).toEqual(Object.fromEntries(tried.map(([way]) => [way, direct])));
    const tested = isAllowed(await send("POST", "/agents/target/revisions/1:test", { input: {} }));
    const below = isAllowed(await send("POST", "/agents/flow/revisions/3:test", { input: {} }));
    expect([tested, below]).toEqual([may, may]);
  });

  test("an agent that a caller may not run is not listed over MCP; the dedicated key runs it", async () => {
    const { id, mcpKey } = Exposed.parse(
      await post("/integration-configs", {
        integrationId: "system",
        exposeMcp: true,
        parameters: { agents: ["target"], tools: [] },
      }),
    );
    await post(`/integration-configs/${id}:publish`);
    const ask = async (credentials: Credentials, method: string, params: object) =>
      (await as(credentials)("POST", `/mcp/${id}`, { jsonrpc: "2.0", id: 1, method, params })).text;
    const { token } = await userWith("Viewer");
    const run = { name: "target", arguments: {} };
    expect(await ask({ token }, "tools/list", {})).not.toContain('"target"');
    expect(await ask({ token }, "tools/call", run)).toContain("Viewer");
    expect(await ask({ key: mcpKey.key }, "tools/list", {})).toContain('"target"');
    expect(await ask({ key: mcpKey.key }, "tools/call", run)).not.toContain("isError");
  });

  test("a config is exposed and published concurrently only by callers who may run its agents", {
    tags: "nightly",
  }, async () => {
    const { key } = await mintAs({ token: own.token }, ["integrations:write", "mcp:invoke"]);
    const send = as({ key });
    const hidden = async () => {
      const id = parseId(await post("/integration-configs", { integrationId: "system" }));
      const path = `/integration-configs/${id}`;
      await post(`${path}:publish`);
      await send("PATCH", path, { parameters: { agents: ["target"] } });
      await send("PATCH", path, { parameters: {} });
      return path;
    };
    const paths = await Promise.all(Array.from({ length: 8 }, hidden));
    for (const path of paths) {
      await Promise.all([
        send("PATCH", path, { exposeMcp: true }),
        send("POST", `${path}:publish`, { revision: 2 }),
      ]);
      const { exposeMcp, publishedRevision } = Exposure.parse((await own.send("GET", path)).body);
      expect([exposeMcp, publishedRevision]).not.toEqual([true, 2]);
    }
  });

  test("a way is closed with the scope of its route alone", { tags: "nightly" }, async () => {
    const at = await prepareWays();
    const { key } = await mintAs({ token: own.token }, ["integrations:write", "connectors:write"]);
    const send = as({ key });
    const subscriber = { subscriberType: "Agent", subscriberId: "target" };
    const subscription = parseId(await post(at.subscriptions, subscriber));
    const config = `/integration-configs/${at.offered.id}`;
    const closings: [string, string, unknown?][] = [
      ["PATCH", `${at.connectors}/${at.connector}`, { active: false }],
      ["PATCH", `/webhooks/${at.webhook}`, { status: "DISABLED" }],
      ["DELETE", `${at.subscriptions}/${subscription}`],
      ["PATCH", config, { displayName: "Renamed" }],
      ["PATCH", config, { exposeMcp: false }],
      ["DELETE", `/webhooks/${at.webhook}`],
    ];
    for (const [method, path, body] of closings) {
      const response = await send(method, path, body);
      expect(response.status, `${method} ${path} ${response.text}`).toBeLessThan(300);
    }
  });
});

describe("a key that a user minted does not outgrow that user", () => {
  const execute = (key: string) => as({ key })("POST", "/agents/target:execute", { input: {} });

  test("its role at an agent is the user's, as it changes", { tags: "nightly" }, async () => {
    const user = await userWith(undefined);
    const { key } = await mintAs(user, ["agents:execute"]);
    expect((await execute(key)).status).toBe(200);
    const path = `/agents/target/collaborators/${user.id}`;
    await own.send("PUT", path, { role: "Viewer" });
    expect(expectProblem(await execute(key))).toMatchObject({
      slug: "insufficient-scope",
      requiredScope: "agents:execute",
      detail: expect.stringMatching(/user.*Viewer.*Editor/),
    });
    await own.send("PUT", path, { role: "Editor" });
    expect((await execute(key)).status).toBe(200);
    await own.send("DELETE", path);
    expect((await execute(key)).status).toBe(200);
  });

  test("a Viewer's key neither changes the agent nor makes its user an Owner", async () => {
    const user = await userWith("Viewer");
    const send = as({ key: (await mintAs(user, allScopes)).key });
    expect((await send("GET", "/agents/target")).status).toBe(200);
    const path = `/agents/target/collaborators/${user.id}`;
    expect(isAllowed(await send("PATCH", "/agents/target", { displayName: "Mine" }))).toBe(false);
    expect(isAllowed(await send("PUT", path, { role: "Owner" }))).toBe(false);
  });

  test("a secret is limited by the caller who got it and by the key's creator", async () => {
    const [editor, viewer] = [await userWith("Editor"), await userWith("Viewer")];
    const rotate = async (credentials: Credentials, id: string) => {
      const body = { graceSeconds: 600 };
      return Issued.parse((await as(credentials)("POST", `/apiKeys/${id}:rotate`, body)).body).key;
    };
    const first = await mintAs(editor, ["agents:execute"]);
    const second = await rotate(viewer, first.id);
    expect((await execute(second)).status).toBe(403);
    expect((await execute(first.key)).status).toBe(200);
    const third = await rotate(editor, first.id);
    expect((await execute(third)).status).toBe(200);
    const ofViewer = await mintAs(viewer, ["agents:execute"]);
    expect((await execute(await rotate(editor, ofViewer.id))).status).toBe(403);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { keyId } from "./records.ts";
import { type Run, runWharf } from "./run-wharf.ts";
import { json, problem, type Responder, type StandIn, startStandIn } from "./stand-in.ts";

let api: StandIn;
/** Responses by method and the end of the path; others are 404. */
let responders: Record<string, Responder>;

beforeAll(async () => {
  api = await startStandIn((arrived, response) => {
    const { method, url } = arrived;
    const named = `${method} ${url.pathname.replace("/v1/tenants/demo", "")}`;
    const respond = responders[named];
    if (respond) respond(arrived, response);
    else problem(response, 404, "not-found");
  });
});
afterAll(() => api.close());

const id = keyId(1);
const webhook = {
  id,
  provider: "github",
  webhookUrl: `https://api.example.com/v1/tenants/demo/webhooks/github/${id}`,
  signingSecret: "the-secret",
};
const created: Record<string, Responder> = {
  "GET /agents/hello": (_, response) => json(response, { id: "hello" }),
  "POST /webhooks": (_, response) => json(response, webhook, 201),
};

beforeEach(() => {
  api.requests.length = 0;
  responders = { ...created };
});

const create = (...args: string[]): Promise<Run> =>
  runWharf(["webhooks", "create", "github", ...args], {
    env: { WHARF_URL: api.url, WHARF_TENANT: "demo", WHARF_TOKEN: "a-token" },
  });
const asked = (): string[] =>
  api.requests.map(
    ({ method, url }) => `${method} ${url.pathname.replace("/v1/tenants/demo", "")}`,
  );

describe("wharf webhooks deliveries", () => {
  test("shows what became of a delivery, and that none matched", async () => {
    const delivery = { id, eventType: "push", receivedAt: 0, size: 2, status: "Dispatched" };
    const result = { subscriptionId: keyId(2), status: "Succeeded", attempts: 1, error: null };
    responders[`GET /webhooks/${id}/deliveries`] = (_, response) =>
      json(response, {
        items: [
          { ...delivery, matched: false, results: [] },
          { ...delivery, matched: true, results: [{ ...result, executionId: keyId(3) }] },
        ],
        nextPageToken: null,
      });
    const { stdout } = await runWharf(["webhooks", "deliveries", id], {
      env: { WHARF_URL: api.url, WHARF_TENANT: "demo", WHARF_TOKEN: "a-token" },
    });
    const [, unmatched, matched] = stdout.split("\n");
    expect(unmatched).toMatch(/no subscriber matched$/);
    expect(matched).toMatch(new RegExp(`Succeeded: execution ${keyId(3)}$`));
  });
});

describe("wharf webhooks create", () => {
  test("creates nothing for an agent that does not exist", async () => {
    const run = await create("--agent", "helo");
    expect(run).toMatchObject({ exitCode: 5, stdout: "" });
    expect(run.stderr).toBe('wharf: There is no agent "helo". No webhook was created.\n');
    expect(asked()).toEqual(["GET /agents/helo"]);
  });

  test.each([
    [
      "a filter that is no expression",
      ["--agent", "hello", "--filter", "payload.("],
      "not a valid JSONata",
    ],
    ["a filter without an agent", ["--filter", "true"], "require --agent"],
    ["event types without an agent", ["--event-type", "push"], "require --agent"],
  ])("sends nothing for %s", async (_, args, message) => {
    const run = await create(...args);
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(run.stderr).toContain(message);
    expect(asked()).toEqual([]);
  });

  test("removes the webhook when the agent cannot be subscribed, and reports both", async () => {
    const subscriptions = `POST /webhooks/${id}/subscriptions`;
    responders[subscriptions] = (_, response) => problem(response, 403, "forbidden-agent");
    responders[`DELETE /webhooks/${id}`] = (_, response) => void response.writeHead(204).end();
    const run = await create("--agent", "hello");
    expect(run).toMatchObject({ exitCode: 4, stdout: "" });
    expect(run.stderr).toContain("so the webhook was removed again.\n");
    expect(run.stderr).toContain("The detail of forbidden-agent");
    expect(run.stderr).not.toContain("the-secret");
    expect(asked().slice(-2)).toEqual([subscriptions, `DELETE /webhooks/${id}`]);

    responders[`DELETE /webhooks/${id}`] = (_, response) =>
      problem(response, 500, "internal-error");
    const stuck = await create("--agent", "hello");
    expect(stuck).toMatchObject({ exitCode: 4, stdout: "" });
    expect(stuck.stderr).toContain(`the webhook ${id} could not be removed`);
    expect(stuck.stderr).toContain("The detail of forbidden-agent");
  });

  test("subscribes an agent with credentials that may not read it", async () => {
    responders["GET /agents/hello"] = (_, response) => problem(response, 403, "insufficient-scope");
    responders[`POST /webhooks/${id}/subscriptions`] = (_, response) =>
      json(response, { id: keyId(2), subscriberId: "hello" }, 201);
    const run = await create("--agent", "hello", "--json");
    expect(run.exitCode).toBe(0);
    expect(JSON.parse(run.stdout)).toMatchObject({
      signingSecret: "the-secret",
      subscription: { subscriberId: "hello" },
    });
  });
});

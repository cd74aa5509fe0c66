import { randomUUID } from "node:crypto";
import * as z from "zod";
import { securityHeaders } from "../../lib/platform/http/security-headers.ts";
import { helloRevision } from "../local/seed-agents.ts";
import {
  expectStatus,
  expectTrue,
  poll,
  readAs,
  type SmokeClient,
  SmokeFailure,
  type SmokeResponse,
} from "./client.ts";

/** State of a run: what checks created for later ones, and how to remove it, last first. */
export type World = {
  client: SmokeClient;
  /** Path of the tenant. */
  tenant: string;
  agent: string;
  cleanups: { name: string; remove: () => Promise<SmokeResponse> }[];
};

/** A promise of the API that only a deployment can prove. Throws a SmokeFailure when it is broken. */
export type Check = { name: string; run: (world: World) => Promise<void> };

const Document = z.looseObject({ servers: z.array(z.object({ url: z.string() })).min(1) });
const ProblemBody = z.looseObject({ type: z.string(), requestId: z.string() });
const Execution = z.looseObject({ executionId: z.string(), status: z.string() });
const Detail = z.looseObject({ status: z.string(), output: z.unknown() });
const Records = z.looseObject({ items: z.array(z.looseObject({ id: z.string() })) });
const Issued = z.looseObject({ id: z.string(), key: z.string() });
const Webhook = z.looseObject({ id: z.string(), webhookUrl: z.string() });

/** Text that a firewall may take for an attack, as prompts and documents may contain it. */
const suspicious =
  "<script>alert(1)</script> ../../etc/passwd http://169.254.169.254/ http://203.0.113.1/a.php ";

const greeting = "Hello, smoke!";
const input = { input: { name: "smoke" } };

const expectGreeting = (response: SmokeResponse): void =>
  expectTrue(response.text.includes(greeting), `${response.request} returned no "${greeting}"`);

/** Checks the headers that every response has. */
const expectHeaders = ({ headers, request }: SmokeResponse): void => {
  for (const name of ["limit", "remaining", "reset"]) {
    const value = headers.get(`x-ratelimit-${name}`) ?? "";
    expectTrue(/^\d+$/.test(value), `${request} returned no X-RateLimit-${name}`);
  }
  expectTrue(headers.get("x-request-id") !== null, `${request} returned no X-Request-Id`);
  for (const [name, value] of Object.entries(securityHeaders)) {
    expectTrue(headers.get(name) === value, `${request} returned ${name}: ${headers.get(name)}`);
  }
};

const addresses: Check[] = [
  {
    name: "Responds without credentials, with rate-limit headers",
    run: async ({ client }) =>
      expectHeaders(
        expectStatus(await client.send("GET", `${client.base}/health`, { isPublic: true }), 200),
      ),
  },
  {
    name: "The OpenAPI document names this address as its server",
    run: async ({ client }) => {
      const path = `${client.base}/v1/openapi.json`;
      const document = readAs(Document, await client.send("GET", path, { isPublic: true }));
      const server = new URL(document.servers[0]?.url ?? "", path).href.replace(/\/$/, "");
      expectTrue(server === client.base, `the server is ${server}; --url is ${client.base}`);
    },
  },
  {
    name: "An unknown route is a problem with a page as its type",
    run: async ({ client }) => {
      const path = `${client.base}/v1/no-such-route`;
      const missing = expectStatus(await client.send("GET", path), 404);
      const { type } = readAs(ProblemBody, missing);
      const page = new URL(type, path).href;
      expectStatus(await client.send("GET", page, { isPublic: true }), 200);
    },
  },
  {
    name: "Another method is 405 with Allow, and no credential is 401 with WWW-Authenticate",
    run: async ({ client, tenant }) => {
      const other = expectStatus(await client.send("DELETE", `${tenant}/agents`), 405);
      expectTrue(other.headers.get("allow") !== null, "405 without Allow");
      const refused = await client.send("GET", `${tenant}/agents`, { isPublic: true });
      const { headers } = expectStatus(refused, 401);
      expectTrue(
        headers.has("www-authenticate") || headers.has("x-amzn-remapped-www-authenticate"),
        "401 without WWW-Authenticate",
      );
      expectHeaders(refused);
    },
  },
];

const mainJob: Check[] = [
  {
    name: "Creates an agent and a revision, and deploys it",
    run: async (world) => {
      const { client, tenant } = world;
      const id = `smoke-${randomUUID().slice(0, 8)}`;
      const createResponse = await client.send("POST", `${tenant}/agents`, {
        body: { id, displayName: "Smoke test" },
      });
      expectStatus(createResponse, 201);
      world.agent = `${tenant}/agents/${id}`;
      world.cleanups.push({ name: "agent", remove: () => client.send("DELETE", world.agent) });
      const revisions = `${world.agent}/revisions`;
      expectStatus(await client.send("POST", revisions, { body: helloRevision }), 201);
      expectStatus(await client.send("POST", `${revisions}/1:deploy`), 200);
    },
  },
  {
    name: "Executes it at :execute",
    run: async ({ client, agent }) => {
      const response = await client.send("POST", `${agent}:execute`, { body: input });
      expectGreeting(expectStatus(response, 200));
      expectHeaders(response);
    },
  },
  {
    name: "Passes a prompt of 9 KB on that contains markup, paths and addresses",
    run: async ({ client, agent }) => {
      const response = await client.send("POST", `${agent}:execute`, {
        body: { input: { name: `${suspicious}${"x".repeat(9_000)}` } },
      });
      expectStatus(response, 200);
    },
  },
  {
    name: "Executes it at %3Aexecute",
    run: async ({ client, agent }) =>
      expectGreeting(
        expectStatus(await client.send("POST", `${agent}%3Aexecute`, { body: input }), 200),
      ),
  },
  {
    name: "Finds a literal colon, as : and as %3A",
    run: async ({ client, tenant }) => {
      for (const colon of [":", "%3A"]) {
        const path = `${tenant}/apiKeys${colon}generate`;
        expectStatus(await client.send("POST", path, { body: {} }), 400);
      }
    },
  },
  {
    name: "Streams an execution as server-sent events",
    run: async ({ client, agent }) => {
      const response = await client.send("POST", `${agent}:execute`, {
        body: input,
        headers: { accept: "text/event-stream" },
      });
      expectStatus(response, 200);
      const type = response.headers.get("content-type") ?? "";
      expectTrue(type.startsWith("text/event-stream"), `the content type is ${type}`);
      const events = [...response.text.matchAll(/^event: ?(\S+)$/gm)].map(([, name]) => name);
      expectTrue(
        events[0] === "execution.started" && events.at(-1) === "execution.completed",
        `the events are ${events.join(", ")}`,
      );
      expectHeaders(response);
    },
  },
  {
    name: "Continues after 202, until the record at Location has ended",
    run: async ({ client, agent }) => {
      const path = `${agent}:execute`;
      const headers = { prefer: "respond-async" };
      const response = expectStatus(await client.send("POST", path, { body: input, headers }), 202);
      readAs(Execution, response);
      const location = new URL(response.headers.get("location") ?? "", client.base + path).href;
      await poll(() => succeeded(client, location), `${location} did not succeed`);
    },
  },
];

/** Returns whether an execution has succeeded; undefined while it runs. */
const succeeded = async (client: SmokeClient, record: string): Promise<true | undefined> => {
  const response = expectStatus(await client.send("GET", record), 200);
  const { status } = readAs(Detail, response);
  if (["Queued", "Running"].includes(status)) return undefined;
  if (status !== "Succeeded") throw new SmokeFailure(`${record} is ${status}`);
  expectGreeting(response);
  return true;
};

const inbound: Check = {
  name: "Runs the agent for a delivery to the webhook's address",
  run: async (world) => {
    const { client, tenant, agent, cleanups } = world;
    const name = `smoke ${randomUUID().slice(0, 8)}`;
    const minted = await client.send("POST", `${tenant}/apiKeys:generate`, {
      body: { name, scopes: ["inbound:deliver"] },
    });
    const key = readAs(Issued, expectStatus(minted, 201));
    const remove = () => client.send("DELETE", `${tenant}/apiKeys/${key.id}`);
    cleanups.push({ name: "API key", remove });
    const created = await client.send("POST", `${tenant}/webhooks`, {
      body: { provider: "generic" },
    });
    const webhook = readAs(Webhook, expectStatus(created, 201));
    const own = `${tenant}/webhooks/${webhook.id}`;
    cleanups.push({ name: "webhook", remove: () => client.send("DELETE", own) });
    const subscription = {
      subscriberType: "Agent",
      subscriberId: agent.split("/").at(-1),
      input: { name: "{% payload.name %}" },
    };
    expectStatus(await client.send("POST", `${own}/subscriptions`, { body: subscription }), 201);
    const address = `${webhook.webhookUrl}/${key.key}`;
    const delivered = await client.send("POST", address, {
      body: { name: "smoke" },
      isPublic: true,
    });
    expectStatus(delivered, 200, 202, 204);
    const records = `${agent}/execution-records`;
    const record = await poll(async () => {
      const page = expectStatus(await client.send("GET", `${records}?triggerType=2`), 200);
      return readAs(Records, page).items[0];
    }, "the delivery started no execution");
    await poll(() => succeeded(client, `${records}/${record.id}`), "its execution did not succeed");
  },
};

/** All checks, in the order in which they depend on each other. */
export const checks: readonly Check[] = [...addresses, ...mainJob, inbound];

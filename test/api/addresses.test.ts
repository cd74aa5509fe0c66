import { createRequire } from "node:module";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import * as z from "zod";
import { buildEnvironment } from "../../infra/local/functions/function-environment.ts";
import { awslambda, isStreaming } from "../../infra/local/functions/response-stream.ts";
import { helloRevision } from "../../infra/local/seed-agents.ts";
import { readAssembly } from "../../infra/local/template/assembly.ts";
import { readModel } from "../../infra/local/template/model.ts";
import { newOrganization } from "../harness/api.ts";
import { quiet } from "../harness/verbose.ts";
import { streamedResponse } from "../suites/streamed-response.ts";

const load = createRequire(import.meta.url);
const Bundle = z.looseObject({ handler: z.custom<(...parameters: unknown[]) => unknown>() });
const Result = z.object({
  statusCode: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});
const Made = z.looseObject({ id: z.string(), webhookUrl: z.string() });
const Document = z.looseObject({ servers: z.array(z.object({ url: z.string() })) });
const ProblemBody = z.looseObject({ type: z.string() });

const lambda = {
  awsRequestId: "00000000-0000-4000-8000-000000000000",
  functionName: "sample",
  getRemainingTimeInMillis: () => 25_000,
};

type Sent = {
  method: string;
  resource: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
};

/** By which a distribution identifies itself. */
const originSecret = "0123456789abcdef0123456789abcdef0123456789abcdef";
const Key = z.looseObject({ id: z.string(), key: z.string() });
const Audit = z.object({
  items: z.array(z.object({ requestContext: z.object({ sourceIp: z.string() }) })),
});
const Deliveries = z.object({ items: z.array(z.looseObject({ id: z.string() })) });

const gateway = "a1b2c3.execute-api.eu-west-1.amazonaws.com";

/** The three ways to the API: how an event looks, and what the addresses in its response begin with. */
const shapes = [
  {
    shape: "at a stage of API Gateway",
    context: { domainName: gateway, prefix: "/live" },
    base: `https://${gateway}/live`,
    link: "/live",
    problems: "/live/problems",
  },
  {
    shape: "at a custom domain",
    context: { domainName: "api.example.com", prefix: "" },
    base: "https://api.example.com",
    link: "",
    problems: "/problems",
  },
  {
    shape: "behind a distribution",
    context: {
      domainName: gateway,
      prefix: "/live",
      stageVariables: { publicUrl: "https://d1.cloudfront.net" },
    },
    base: "https://d1.cloudfront.net",
    link: "https://d1.cloudfront.net",
    problems: "/problems",
  },
];

describe.each(shapes)("$shape, the address of", ({ context, base, link, problems }) => {
  const stack = inject("stack");
  const functions = () => readModel(readAssembly(stack.assembly), stack.services).functions;
  let token: string;
  let tenants: string;
  let agents: string;

  beforeAll(async () => {
    const own = await newOrganization();
    await own.deployAgent("hello", helloRevision);
    token = own.token;
    tenants = own.base;
    agents = `${tenants}/agents/hello`;
  });

  const buildEvent = ({ method, resource, path, body, headers: own }: Sent) => {
    const parts = path.split("/");
    const variables = resource
      .split("/")
      .flatMap((part, at) => (/^\{p\d\}$/.test(part) ? [[part.slice(1, -1), parts[at]]] : []));
    const headers = {
      authorization: `Bearer ${token}`,
      prefer: "respond-async",
      "content-type": "application/json",
      "x-forwarded-proto": "https",
      ...own,
    };
    return {
      resource,
      path,
      httpMethod: method,
      headers,
      multiValueHeaders: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, [value]]),
      ),
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      pathParameters: Object.fromEntries(variables),
      stageVariables: context.stageVariables ?? null,
      requestContext: {
        requestId: "00000000-0000-4000-8000-000000000000",
        domainName: context.domainName,
        path: context.prefix + path,
        identity: { sourceIp: "127.0.0.1" },
      },
      body: body === undefined ? null : JSON.stringify(body),
      isBase64Encoded: false,
    };
  };

  /** Hands the event to the built function, and returns its response. */
  const run = async (name: string, sent: Sent) => {
    const fn = functions().find((candidate) => candidate.name.endsWith(`-${name}`));
    if (!fn) throw new Error(`no function ${name}`);
    const jwksUrl = `${stack.services}/.well-known/jwks.json`;
    for (const [variable, value] of Object.entries({
      ...buildEnvironment(fn, { ...stack, jwksUrl }),
      ...quiet,
    })) {
      vi.stubEnv(variable, value);
    }
    vi.stubEnv("ORIGIN_SECRET", originSecret);
    vi.stubGlobal("awslambda", awslambda);
    const { handler } = Bundle.parse(load(join(fn.directory, "index.mjs")));
    if (!isStreaming(handler)) return Result.parse(await handler(buildEvent(sent), lambda));
    const { head, body } = await streamedResponse(handler, buildEvent(sent), lambda);
    return Result.parse({ ...head, body });
  };

  test("a webhook is the public URL, when it is created and when it is read", {
    tags: "nightly",
  }, async () => {
    const made = await run("create-webhook", {
      method: "POST",
      resource: "/v1/tenants/{p1}/webhooks",
      path: `${tenants}/webhooks`,
      body: { provider: "generic" },
    });
    const { id, webhookUrl } = Made.parse(JSON.parse(made.body));
    expect(webhookUrl).toMatch(new RegExp(`^${base}/v1/tenants/[0-9a-f-]{36}/webhooks/generic/`));
    const read = await run("get-webhook", {
      method: "GET",
      resource: "/v1/tenants/{p1}/webhooks/{p2}",
      path: `${tenants}/webhooks/${id}`,
    });
    expect(Made.parse(JSON.parse(read.body)).webhookUrl).toBe(webhookUrl);
  });

  test("a connector is the public URL", async () => {
    const made = await run("create-connector", {
      method: "POST",
      resource: "/v1/tenants/{p1}/agents/{p2}/connectors",
      path: `${agents}/connectors`,
      body: { provider: "generic", parameters: { replyUrl: "https://chat.example.com/in" } },
    });
    expect(made.body).toContain(`"webhookUrl":"${base}/v1/tenants/`);
  });

  test("an accepted execution leads to its record", { tags: "nightly" }, async () => {
    const { statusCode, headers } = await run("execute-agent-or-test-draft", {
      method: "POST",
      resource: "/v1/tenants/{p1}/agents/{p2}",
      path: `${agents}:execute`,
      body: { input: { name: "Ada" } },
    });
    expect(statusCode).toBe(202);
    expect(headers.Location).toMatch(
      new RegExp(`^${link}/v1/tenants/[0-9a-f-]{36}/agents/hello/execution-records/[0-9a-f-]{36}$`),
    );
  });

  test("the OpenAPI document's server is the API", async () => {
    const { body } = await run("get-openapi", {
      method: "GET",
      resource: "/v1/openapi.json",
      path: "/v1/openapi.json",
    });
    expect(Document.parse(JSON.parse(body)).servers).toEqual([{ url: link === "" ? "/" : link }]);
  });

  if (context.stageVariables) {
    const viewer = { "cloudfront-viewer-address": "198.51.100.10:46532" };

    test.each([
      ["the distribution's viewer", "198.51.100.10", { "x-wharf-origin-secret": originSecret }],
      ["the gateway's caller with a wrong secret", "127.0.0.1", { "x-wharf-origin-secret": "no" }],
      ["the gateway's caller without a secret", "127.0.0.1", {}],
    ])(
      "the caller in an audit event is that of %s",
      { tags: "nightly" },
      async (_, address, secret) => {
        const made = await run("generate-api-key", {
          method: "POST",
          resource: "/v1/tenants/{p1}/apiKeys:generate",
          path: `${tenants}/apiKeys:generate`,
          body: { name: "test", scopes: ["inbound:deliver"] },
          headers: { ...viewer, ...secret },
        });
        const { id } = Key.parse(JSON.parse(made.body));
        const audit = await run("list-audit-events", {
          method: "GET",
          resource: "/v1/tenants/{p1}/apiKeys/{p2}/auditEvents",
          path: `${tenants}/apiKeys/${id}/auditEvents`,
        });
        expect(Audit.parse(JSON.parse(audit.body)).items).toEqual([
          expect.objectContaining({
            requestContext: expect.objectContaining({ sourceIp: address }),
          }),
        ]);
      },
    );

    test("a delivery that a distribution passed on is kept without the distribution's secret", async () => {
      const send = async (name: string, sent: Sent) => (await run(name, sent)).body;
      const key = await send("generate-api-key", {
        method: "POST",
        resource: "/v1/tenants/{p1}/apiKeys:generate",
        path: `${tenants}/apiKeys:generate`,
        body: { name: "test", scopes: ["inbound:deliver"] },
      });
      const webhook = await send("create-webhook", {
        method: "POST",
        resource: "/v1/tenants/{p1}/webhooks",
        path: `${tenants}/webhooks`,
        body: { provider: "generic" },
      });
      const { id } = Made.parse(JSON.parse(webhook));
      const path = `${tenants}/webhooks/generic/${id}/${Key.parse(JSON.parse(key)).key}`;
      await send("deliver-webhook", {
        method: "POST",
        resource: "/v1/tenants/{p1}/webhooks/{p2}/{p3}/{p4}",
        path,
        body: {},
        headers: { ...viewer, "x-wharf-origin-secret": originSecret, "x-kept": "yes" },
      });
      const deliveries = `${tenants}/webhooks/${id}/deliveries`;
      const list = async () => {
        const resource = "/v1/tenants/{p1}/webhooks/{p2}/deliveries";
        const text = await send("list-deliveries", { method: "GET", resource, path: deliveries });
        return Deliveries.parse(JSON.parse(text)).items;
      };
      await expect.poll(async () => (await list()).length, { timeout: 20_000 }).toBe(1);
      const text = await send("get-delivery", {
        method: "GET",
        resource: "/v1/tenants/{p1}/webhooks/{p2}/deliveries/{p3}",
        path: `${deliveries}/${(await list())[0]?.id}`,
      });
      expect(text).toContain('"x-kept":"yes"');
      expect(text).not.toContain(originSecret);
    });
  }

  test("a problem's type is a page of the API", async () => {
    const { body } = await run("get-webhook", {
      method: "GET",
      resource: "/v1/tenants/{p1}/webhooks/{p2}",
      path: `${tenants}/webhooks/0193f0a0-7c4b-7000-8000-000000000000`,
    });
    expect(ProblemBody.parse(JSON.parse(body)).type).toBe(`${problems}/not-found`);
    const page = await run("get-problem", {
      method: "GET",
      resource: "/problems/{p1}",
      path: "/problems/not-found",
    });
    expect(ProblemBody.parse(JSON.parse(page.body)).type).toBe(`${problems}/not-found`);
  });
});

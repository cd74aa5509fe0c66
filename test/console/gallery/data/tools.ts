import { unwrapBody } from "../../../../client/client.ts";
import type { DemoContext } from "./demo.ts";

const configs = "/v1/tenants/{tenant}/integration-configs";

const crm = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "CRM", version: "1" },
  servers: [{ url: "https://crm.example.com" }],
  paths: {
    "/customers": {
      get: {
        operationId: "listCustomers",
        summary: "Lists customers, most recent first",
        parameters: [{ name: "query", in: "query", schema: { type: "string" } }],
      },
      post: {
        operationId: "createCustomer",
        summary: "Creates a customer",
        requestBody: {
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["name"],
                properties: { name: { type: "string" }, plan: { type: "string" } },
              },
            },
          },
        },
      },
    },
    "/customers/{customerId}": {
      get: {
        operationId: "getCustomer",
        summary: "Retrieves a customer with its contacts, its plan and its open invoices",
        parameters: [
          { name: "customerId", in: "path", required: true, schema: { type: "string" } },
        ],
      },
    },
    "/customers/{customerId}/notes": {
      post: {
        operationId: "addNote",
        summary: "Adds a note to a customer",
        parameters: [
          { name: "customerId", in: "path", required: true, schema: { type: "string" } },
        ],
      },
    },
  },
});

const skills = [
  {
    id: "tone-of-voice",
    displayName: "Tone of voice",
    description: "How we write to customers. Use it for every reply that a customer reads.",
    instructions:
      "Write as one person to another.\n\n- Start with what happens next.\n- No exclamation marks.\n- Never promise a date that nobody has confirmed.",
    resources: [
      { assetId: "glossary.md", description: "Names of our products", vectorized: false },
    ],
  },
  {
    id: "mental-arithmetic",
    displayName: "Mental arithmetic",
    description: "Calculates. Use it whenever numbers are asked for.",
    instructions: "Never guess a result: have it calculated.",
    tools: [{ integrationId: "system", id: "calculate" }],
  },
  {
    id: "refund-policy",
    displayName: "Refund policy",
    description:
      "What may be refunded, until when, and by whom. Use it whenever a customer asks for money back, complains about an invoice, or cancels within the first month of a contract.",
    instructions: "Refunds within 30 days need no approval.",
  },
];

/** Creates a config with OAuth 2, and two connections that wait for consent. */
const createConnectedConfig = async ({
  client,
  path,
}: Pick<DemoContext, "client" | "path">): Promise<string> => {
  const { id } = await unwrapBody(
    client.POST(configs, {
      params: { path },
      body: {
        integrationId: "openapi",
        displayName: "Customers of each user",
        parameters: { document: crm },
        auth: {
          type: "oauth2",
          issuer: "https://login.example.com",
          clientId: "wharf",
          clientSecret: "a-client-secret",
          scopes: ["customers.read"],
          owner: "endUser",
        },
      },
    }),
  );
  await client.POST(`${configs}/{config}:publish`, {
    params: { path: { ...path, config: id } },
    body: {},
  });
  for (const endUserId of ["ada", "grace"]) {
    const body = { integrationConfigId: id, endUserId };
    await client.POST("/v1/tenants/{tenant}/connections", { params: { path }, body });
  }
  return id;
};

/** Creates integration configs, one of them with an MCP server and one with connections, and skills. */
export const createTools = async ({ client, path }: DemoContext) => {
  const params = { path };
  const config = await unwrapBody(
    client.POST(configs, {
      params,
      body: {
        integrationId: "openapi",
        displayName: "CRM",
        parameters: { document: crm },
        auth: { parameters: { token: "a-token" } },
        exposeMcp: true,
      },
    }),
  );
  await client.POST(`${configs}/{config}:publish`, {
    params: { path: { ...path, config: config.id } },
    body: {},
  });
  await client.POST(configs, {
    params,
    body: {
      integrationId: "github",
      displayName: "Our GitHub organization",
      auth: { parameters: { token: "github_pat_REPLACE_ME" } },
    },
  });
  const drive = await createConnectedConfig({ client, path });
  for (const body of skills) await client.POST("/v1/tenants/{tenant}/skills", { params, body });
  return { config: config.id, connectedConfig: drive, skill: "tone-of-voice" };
};

import { existsSync, readFileSync } from "node:fs";
import * as z from "zod";
import { helloRevision, triageRevision } from "./seed-agents.ts";
import { type ApiClient, apiClient, type Order } from "./seed-client.ts";
import { StopError } from "./stop-error.ts";

/** Names of the demonstration, as in the README and the startup message. */
export const seedNames = {
  organizationId: "local",
  tenantSlug: "demo",
  agentId: "hello",
  triageAgentId: "triage",
  admin: "admin@local.wharf.invalid",
  exampleAuthor: "examples@local.wharf.invalid",
} as const;

/** Content of `local.json`. */
export const LocalJson = z.object({
  baseUrl: z.string(),
  organizationId: z.string(),
  tenantId: z.string(),
  tenantSlug: z.string(),
  userToken: z.string(),
  apiKey: z.string(),
  agentId: z.string(),
  pid: z.int(),
});
export type LocalJson = z.output<typeof LocalJson>;

const Tenant = z.object({ id: z.string(), slug: z.string() });
const Agent = z.object({ deployedRevision: z.int().nullable() });
const Issued = z.object({ key: z.string().min(1) });

/** IDs and API key of the demonstration. */
export const Seeded = z.object({ tenantId: z.string(), apiKey: z.string() });
export type Seeded = z.output<typeof Seeded>;

type SeedOptions = {
  baseUrl: string;
  /** Token of the admin user. */
  userToken: string;
  /** Token of the user who creates the second example, so that it takes nothing from the admin's rate limit. */
  exampleToken: string;
  /** Result of a previous start. */
  previous: Seeded | undefined;
};

const tenantPath = `/v1/tenants/${seedNames.tenantSlug}`;
const buildAgentPath = (agentId: string): string => `${tenantPath}/agents/${agentId}`;
const agentPath = buildAgentPath(seedNames.agentId);
const revisionsPath = `${agentPath}/revisions`;
const generatePath = `${tenantPath}/apiKeys:generate`;
const currentKeyPath = `${tenantPath}/apiKeys/current`;

/** Lists the requests of seeding, so that their functions can start in advance. */
export const expectedRequests = (startedBefore: boolean): string[] =>
  startedBefore
    ? [`GET ${tenantPath}`, `GET ${agentPath}`, `GET ${currentKeyPath}`]
    : [
        "POST /v1/tenants",
        `POST ${tenantPath}/agents`,
        `POST ${revisionsPath}`,
        `POST ${revisionsPath}/1:deploy`,
        `POST ${generatePath}`,
      ];

/** Operations of seeding and of the first requests that follow; their functions are built before the others. */
export const firstOperations: readonly string[] = [
  "create-tenant",
  "create-agent",
  "create-revision",
  "deploy-revision",
  "generate-api-key",
  "get-tenant",
  "get-agent",
  "get-current-api-key",
  "get-health",
  "publish-event",
  "execute-agent",
];

/** Requests that users are likely to send first. */
export const likelyRequests: readonly string[] = [
  `POST ${agentPath}:execute`,
  `GET ${currentKeyPath}`,
  `GET ${agentPath}`,
];

/** Creates the missing resources of the demonstration through the API; existing ones are unchanged. */
export const seed = async ({
  baseUrl,
  userToken,
  exampleToken,
  previous,
}: SeedOptions): Promise<Seeded> => {
  const api = apiClient(baseUrl, { authorization: `Bearer ${userToken}` });
  const order = previous === undefined ? "create first" : "get first";
  const tenant = await api.ensure(order, tenantPath, Tenant, {
    collection: "/v1/tenants",
    body: { slug: seedNames.tenantSlug, displayName: "Demo" },
  });
  const [apiKey] = await Promise.all([
    previous?.apiKey !== undefined && (await isValidKey(baseUrl, previous.apiKey))
      ? previous.apiKey
      : api
          .create(generatePath, { name: "local runner", preset: "Runner" }, Issued)
          .then((issued) => issued?.key ?? ""),
    seedAgent(api, order, { id: seedNames.agentId, displayName: "Hello" }, helloRevision),
    seedTriage(apiClient(baseUrl, { authorization: `Bearer ${exampleToken}` }), order),
  ]);
  return { tenantId: tenant.id, apiKey };
};

/** Creates the second example; a product that is limited to fewer requests starts without it. */
const seedTriage = async (api: ApiClient, order: Order): Promise<void> => {
  const agent = { id: seedNames.triageAgentId, displayName: "Triage" };
  try {
    await seedAgent(api, order, agent, triageRevision);
  } catch (error) {
    if (!(error instanceof StopError)) throw error;
  }
};

const seedAgent = async (
  api: ApiClient,
  order: Order,
  agent: { id: string; displayName: string },
  revision: unknown,
): Promise<void> => {
  const path = buildAgentPath(agent.id);
  const found = await api.ensure(order, path, Agent, {
    collection: `${tenantPath}/agents`,
    body: agent,
  });
  if (found.deployedRevision !== null) return;
  const revisions = `${path}/revisions`;
  const creation = { collection: revisions, body: revision };
  await api.ensure(order, `${revisions}/1`, z.unknown(), creation);
  await api.create(`${revisions}/1:deploy`, undefined, z.unknown());
};

const isValidKey = async (baseUrl: string, key: string): Promise<boolean> =>
  (await fetch(`${baseUrl}${currentKeyPath}`, { headers: { "x-api-key": key } })).ok;

/** Reads the result of a previous start; undefined when it is missing or malformed. */
export const readSeeded = (file: string): Seeded | undefined => {
  if (!existsSync(file)) return undefined;
  try {
    return Seeded.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
};

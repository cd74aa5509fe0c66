import { existsSync, readFileSync } from "node:fs";
import * as z from "zod";
import { type ApiClient, apiClient, type Order } from "./seed-client.ts";

/** What a first start makes: names that the README and the printed `curl` speak of. */
export const seedNames = {
  organizationId: "local",
  tenantSlug: "demo",
  agentId: "hello",
  admin: "admin@local.wharf.invalid",
} as const;

/** What `local.json` holds. */
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

/** A demonstration flow in three steps: no account of a model provider is needed. */
const helloRevision = {
  comment: "Says hello",
  parametersMetadata: [{ name: "name", type: "String", required: false, defaultValue: "world" }],
  llmConfigs: [{ providerId: "echo", parameters: {} }],
  flow: {
    steps: [
      { id: "greeting", type: "Transform", value: "Hello, {% input.name %}!" },
      {
        id: "answer",
        type: "Prompt",
        llm: { providerId: "echo", parameters: {} },
        prompt: "{% steps.greeting.output %}",
      },
      { id: "result", type: "Output", value: { message: "{% steps.answer.output %}" } },
    ],
    edges: [
      { source: "greeting", target: "answer" },
      { source: "answer", target: "result" },
    ],
  },
};

const Tenant = z.object({ id: z.string(), slug: z.string() });
const Agent = z.object({ deployedRevision: z.int().nullable() });
const Issued = z.object({ key: z.string().min(1) });

/** Ids and secrets of what is there after seeding. */
export const Seeded = z.object({ tenantId: z.string(), apiKey: z.string() });
export type Seeded = z.output<typeof Seeded>;

type SeedOptions = {
  baseUrl: string;
  /** Token of the admin user. */
  userToken: string;
  /** What an earlier start made; without it everything is tried to be made first. */
  earlier: Seeded | undefined;
};

const tenantPath = `/v1/tenants/${seedNames.tenantSlug}`;
const agentPath = `${tenantPath}/agents/${seedNames.agentId}`;
const revisionsPath = `${agentPath}/revisions`;
const generatePath = `${tenantPath}/apiKeys:generate`;
const currentKeyPath = `${tenantPath}/apiKeys/current`;

/** The requests that seeding sends when all goes as expected. */
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

/** The requests that a user is likely to send first. */
export const likelyRequests: readonly string[] = [
  `POST ${agentPath}:execute`,
  `GET ${currentKeyPath}`,
  `GET ${agentPath}`,
];

/** Makes, through the API, what of the demonstration is missing; what is there is left as it is. */
export const seed = async ({ baseUrl, userToken, earlier }: SeedOptions): Promise<Seeded> => {
  const api = apiClient(baseUrl, { authorization: `Bearer ${userToken}` });
  const order = earlier === undefined ? "make first" : "find first";
  const tenant = await api.ensure(order, tenantPath, Tenant, "/v1/tenants", {
    slug: seedNames.tenantSlug,
    displayName: "Demo",
  });
  const [, apiKey] = await Promise.all([
    seedAgent(api, order),
    earlier?.apiKey !== undefined && (await isGood(baseUrl, earlier.apiKey))
      ? earlier.apiKey
      : api
          .make(generatePath, { name: "local runner", preset: "Runner" }, Issued)
          .then((issued) => issued?.key ?? ""),
  ]);
  return { tenantId: tenant.id, apiKey };
};

const seedAgent = async (api: ApiClient, order: Order): Promise<void> => {
  const agent = await api.ensure(order, agentPath, Agent, `${tenantPath}/agents`, {
    id: seedNames.agentId,
    displayName: "Hello",
  });
  if (agent.deployedRevision !== null) return;
  await api.ensure(order, `${revisionsPath}/1`, z.unknown(), revisionsPath, helloRevision);
  await api.make(`${revisionsPath}/1:deploy`, undefined, z.unknown());
};

const isGood = async (baseUrl: string, key: string): Promise<boolean> =>
  (await fetch(`${baseUrl}${currentKeyPath}`, { headers: { "x-api-key": key } })).ok;

/** Reads what an earlier start made; undefined when there is nothing that can be read. */
export const readSeeded = (file: string): Seeded | undefined => {
  if (!existsSync(file)) return undefined;
  try {
    return Seeded.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
};

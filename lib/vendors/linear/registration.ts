import * as z from "zod";
import {
  ProviderApiError,
  refusedBy,
  unexpectedResponse,
} from "../../platform/outgoing/provider-api-error.ts";
import type { Registrar, RegistrationTarget, Wanted } from "../registrar.ts";
import {
  requireCredential,
  requireSecret,
  resolveBaseUrl,
  splitFilter,
} from "../shared/registration/settings.ts";

const provider = "Linear";
const maxPages = 10;
const resourceTypes = [
  "Issue",
  "Comment",
  "IssueLabel",
  "Reaction",
  "Cycle",
  "Project",
  "ProjectUpdate",
];

const GraphqlErrors = z.object({
  errors: z
    .array(
      z.object({
        extensions: z
          .object({ code: z.string().optional(), type: z.string().optional() })
          .optional(),
      }),
    )
    .min(1),
});
const Webhooks = z.object({
  webhooks: z.object({
    nodes: z.array(
      z.object({
        id: z.string(),
        url: z.string().nullable(),
        team: z.object({ id: z.string() }).nullish(),
      }),
    ),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
  }),
});
const Created = z.object({ webhookCreate: z.object({ webhook: z.object({ id: z.string() }) }) });
const Updated = z.object({ webhookUpdate: z.object({ success: z.literal(true) }) });
const Deleted = z.object({ webhookDelete: z.object({ success: z.boolean() }) });

/** Returns the status of an error in the body, sent with status 200 or 400: https://linear.app/developers/graphql */
const readStatus = (body: unknown, status: number): number | undefined => {
  const parsed = GraphqlErrors.safeParse(body);
  if (!parsed.success) return status < 400 ? undefined : status;
  const { code = "", type = "" } = parsed.data.errors[0]?.extensions ?? {};
  if (code === "RATELIMITED") return 429;
  if (code === "AUTHENTICATION_ERROR" || type === "authentication error") return 401;
  if (code === "FORBIDDEN" || type === "forbidden") return 403;
  if (code === "ENTITY_NOT_FOUND" || type === "entity not found") return 404;
  return status < 400 ? 422 : status;
};

const GraphqlResponse = z.object({ data: z.unknown() });

const callLinear = async <Data extends z.ZodType>(
  target: RegistrationTarget,
  query: string,
  variables: Record<string, unknown>,
  schema: Data,
): Promise<z.output<Data>> => {
  const { name, value } = requireCredential(target, ["apiKey", "accessToken", "token"]);
  const response = await target.fetch(
    `${resolveBaseUrl(target, "https://api.linear.app")}/graphql`,
    {
      method: "POST",
      headers: {
        accept: "application/json",
        "content-type": "application/json",
        authorization: name === "accessToken" ? `Bearer ${value}` : value,
      },
      body: JSON.stringify({ query, variables }),
    },
  );
  const body: unknown = await response.json().catch(() => undefined);
  const status = readStatus(body, response.status);
  if (status !== undefined) throw refusedBy(provider, status);
  const parsed = schema.safeParse(GraphqlResponse.safeParse(body).data?.data);
  if (parsed.success) return parsed.data;
  throw unexpectedResponse(provider);
};

const findWhole = async (
  target: RegistrationTarget,
  url: string,
): Promise<{ id: string; teamId: string | null } | undefined> => {
  let after: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const { webhooks }: z.output<typeof Webhooks> = await callLinear(
      target,
      "query ($after: String) { webhooks(first: 100, after: $after) { nodes { id url team { id } } pageInfo { hasNextPage endCursor } } }",
      { after },
      Webhooks,
    );
    const found = webhooks.nodes.find((webhook) => webhook.url === url);
    if (found) return { id: found.id, teamId: found.team?.id ?? null };
    if (!webhooks.pageInfo.hasNextPage) break;
    after = webhooks.pageInfo.endCursor;
  }
  return undefined;
};

const buildSettings = (wanted: Wanted) => {
  const names = splitFilter(wanted.filter);
  return {
    url: wanted.url,
    secret: requireSecret(wanted),
    enabled: true,
    resourceTypes: names.length > 0 ? names : resourceTypes,
  };
};

const remove = async (target: RegistrationTarget, id: string): Promise<void> => {
  const query = "mutation ($id: String!) { webhookDelete(id: $id) { success } }";
  try {
    await callLinear(target, query, { id }, Deleted);
  } catch (error) {
    if (!(error instanceof ProviderApiError && error.status === 404)) throw error;
  }
};

/**
 * Webhooks of a workspace: `externalContext` is a team's id, or null for all public teams, `filter` a
 * comma-separated list of resource types. https://linear.app/developers/webhooks
 */
export const registrar: Registrar = {
  find: async (target, url) => (await findWhole(target, url))?.id,
  register: async (target, wanted) => {
    const existing = await findWhole(target, wanted.url);
    const settings = buildSettings(wanted);
    if (existing && existing.teamId !== (target.externalContext || null)) {
      await remove(target, existing.id);
    } else if (existing) {
      const { id } = existing;
      const query =
        "mutation ($id: String!, $input: WebhookUpdateInput!) { webhookUpdate(id: $id, input: $input) { success } }";
      await callLinear(target, query, { id, input: settings }, Updated);
      return { remoteId: id, expiresAt: null };
    }
    const team = target.externalContext
      ? { teamId: target.externalContext }
      : { allPublicTeams: true };
    const { webhookCreate } = await callLinear(
      target,
      "mutation ($input: WebhookCreateInput!) { webhookCreate(input: $input) { success webhook { id } } }",
      { input: { label: "Wharf", ...team, ...settings } },
      Created,
    );
    return { remoteId: webhookCreate.webhook.id, expiresAt: null };
  },
  unregister: remove,
  newSecret: (randomBytes) => Buffer.from(randomBytes(32)).toString("hex"),
};

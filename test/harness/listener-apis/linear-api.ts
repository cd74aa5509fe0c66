import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { ApiResponse, ListenerApi } from "./listener-api.ts";

const Settings = z.looseObject({
  url: z.url(),
  secret: z.string(),
  resourceTypes: z.array(z.string()).min(1),
});
const Sent = z.object({
  query: z.string(),
  variables: z.looseObject({ id: z.string().optional(), input: Settings.optional() }),
});

const failed = (code: string): ApiResponse => ({
  status: 400,
  body: { errors: [{ message: "told", extensions: { code } }] },
});

/** Webhooks of a workspace, by GraphQL. */
export const linearApi: ListenerApi = {
  auth: { apiKey: "linear-key" },
  respond: ({ path, headers, body }, listeners) => {
    if (headers.authorization !== "linear-key") return failed("AUTHENTICATION_ERROR");
    const sent = Sent.safeParse(body);
    if (path !== "/graphql" || !sent.success) return failed("GRAPHQL_VALIDATION_FAILED");
    const { query, variables } = sent.data;
    const respond = (data: unknown): ApiResponse => ({ status: 200, body: { data } });
    const at = listeners.findIndex(({ id }) => id === variables.id);
    if (query.includes("webhookCreate") && variables.input) {
      const { input } = variables;
      const webhook = { id: randomUUID(), url: input.url, settings: input };
      listeners.push(webhook);
      return respond({ webhookCreate: { success: true, webhook: { id: webhook.id } } });
    }
    if (query.startsWith("query")) {
      const nodes = listeners.map(({ id, url, settings }) => ({
        id,
        url,
        team: settings.teamId === undefined ? null : { id: settings.teamId },
      }));
      return respond({ webhooks: { nodes, pageInfo: { hasNextPage: false, endCursor: null } } });
    }
    if (at === -1) return failed("ENTITY_NOT_FOUND");
    if (query.includes("webhookDelete")) {
      listeners.splice(at, 1);
      return respond({ webhookDelete: { success: true } });
    }
    const input = Settings.parse(variables.input);
    listeners.splice(at, 1, { id: variables.id ?? "", url: input.url, settings: input });
    return respond({ webhookUpdate: { success: true } });
  },
};

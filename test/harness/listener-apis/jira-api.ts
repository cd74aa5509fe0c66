import * as z from "zod";
import { type ListenerApi, newId } from "./listener-api.ts";

const Sent = z.object({
  url: z.url(),
  webhooks: z.array(z.object({ events: z.array(z.string()).min(1), jqlFilter: z.string().min(1) })),
});
const Ids = z.object({ webhookIds: z.array(z.int()) });

/** Expiry of a created and of a renewed listener. */
export const jiraExpiry = { made: "2026-12-20T12:00:00.000+0000", renewed: Date.UTC(2027, 0, 18) };

/** Dynamic webhooks with one URL; a query with an unknown operator is refused with status 200. */
export const jiraApi: ListenerApi = {
  auth: { accessToken: "jira-token" },
  respond: ({ method, path, headers, body }, listeners) => {
    if (headers.authorization !== "Bearer jira-token") return { status: 401, body: {} };
    if (path === "/rest/api/3/webhook/refresh" && method === "PUT") {
      return { status: 200, body: { expirationDate: jiraExpiry.renewed } };
    }
    if (path !== "/rest/api/3/webhook") return { status: 404, body: {} };
    if (method === "GET") {
      const values = listeners.map(({ id, url, settings }) => ({
        id: Number(id),
        url,
        jqlFilter: settings.jqlFilter,
        expirationDate: jiraExpiry.made,
      }));
      return { status: 200, body: { values, isLast: true } };
    }
    if (method === "DELETE") {
      const { webhookIds } = Ids.parse(body);
      const kept = listeners.filter(({ id }) => !webhookIds.includes(Number(id)));
      listeners.splice(0, listeners.length, ...kept);
      return { status: 202 };
    }
    const sent = Sent.safeParse(body);
    if (!sent.success) return { status: 400, body: {} };
    const { url, webhooks } = sent.data;
    const refused = (errors: string[]) => ({
      status: 200,
      body: { webhookRegistrationResult: [{ errors }] },
    });
    const [settings] = webhooks;
    if (settings?.jqlFilter.includes(" is ")) return refused(["Operator is is unsupported"]);
    if (listeners.some((listener) => listener.url !== url))
      return refused(["Only one URL per app"]);
    const id = newId();
    listeners.push({ id: String(id), url, settings: { ...settings } });
    return { status: 200, body: { webhookRegistrationResult: [{ createdWebhookId: id }] } };
  },
};

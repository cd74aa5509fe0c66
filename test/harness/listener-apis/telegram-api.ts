import * as z from "zod";
import type { ListenerApi } from "./listener-api.ts";

const Sent = z.object({
  url: z.url(),
  secret_token: z.string().regex(/^[\w-]{1,256}$/),
  allowed_updates: z.array(z.string()),
});

/** The only webhook of a bot. */
export const telegramApi: ListenerApi = {
  auth: { botToken: "123:telegram-token" },
  respond: ({ path, body }, listeners) => {
    const [, token, method] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? [];
    if (token !== "123:telegram-token") return { status: 401, body: { ok: false } };
    if (method === "getWebhookInfo") {
      return { status: 200, body: { ok: true, result: { url: listeners[0]?.url ?? "" } } };
    }
    if (method === "deleteWebhook") listeners.splice(0);
    if (method === "setWebhook") {
      const sent = Sent.safeParse(body);
      if (!sent.success) return { status: 400, body: { ok: false } };
      const { url } = sent.data;
      listeners.splice(0, listeners.length, { id: url, url, settings: body });
    }
    return { status: 200, body: { ok: true, result: true } };
  },
};

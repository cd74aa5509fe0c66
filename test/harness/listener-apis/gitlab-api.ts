import * as z from "zod";
import { type ListenerApi, newId, slicePage } from "./listener-api.ts";

const Sent = z.looseObject({ url: z.url(), token: z.string(), push_events: z.boolean() });

/** Hooks of the project acme/tools/app; two may have one URL. */
export const gitlabApi: ListenerApi = {
  auth: { token: "gitlab-token" },
  respond: ({ method, path, query, headers, body }, listeners) => {
    if (headers["private-token"] !== "gitlab-token") return { status: 401, body: {} };
    const match = /^\/api\/v4\/projects\/acme%2Ftools%2Fapp\/hooks(?:\/(\d+))?$/.exec(path);
    if (!match) return { status: 404, body: {} };
    const at = listeners.findIndex(({ id }) => id === match[1]);
    if (match[1] !== undefined && at === -1) return { status: 404, body: {} };
    if (method === "GET") {
      const hooks = listeners.map(({ id, url }) => ({ id: Number(id), url }));
      return { status: 200, body: slicePage(hooks, query) };
    }
    if (method === "DELETE") {
      listeners.splice(at, 1);
      return { status: 204 };
    }
    const sent = Sent.safeParse(body);
    if (!sent.success) return { status: 422, body: {} };
    const hook = { id: match[1] ?? String(newId()), url: sent.data.url, settings: body };
    if (method === "PUT") listeners.splice(at, 1, hook);
    else listeners.push(hook);
    return { status: method === "PUT" ? 200 : 201, body: { id: Number(hook.id), url: hook.url } };
  },
};

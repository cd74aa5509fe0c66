import * as z from "zod";
import { type ListenerApi, newId, slicePage } from "./listener-api.ts";

const Sent = z.looseObject({
  name: z.literal("web").optional(),
  active: z.boolean(),
  events: z.array(z.string()),
  config: z.looseObject({
    url: z.url(),
    content_type: z.literal("json"),
    secret: z.string(),
    insecure_ssl: z.literal("0"),
  }),
});

/** Webhooks of the repository acme/app. */
export const githubApi: ListenerApi = {
  auth: { token: "github-token" },
  respond: ({ method, path, query, headers, body }, listeners) => {
    if (headers.authorization !== "token github-token") return { status: 401, body: {} };
    const [, id] = /^\/repos\/acme\/app\/hooks(?:\/(\d+))?$/.exec(path) ?? ["no such path"];
    if (!path.startsWith("/repos/acme/app/hooks")) return { status: 404, body: {} };
    const at = listeners.findIndex((listener) => listener.id === id);
    if (id !== undefined && at === -1) return { status: 404, body: {} };
    if (method === "GET") {
      const hooks = listeners.map((listener) => ({
        id: Number(listener.id),
        config: { url: listener.url },
      }));
      return { status: 200, body: slicePage(hooks, query) };
    }
    if (method === "DELETE") {
      listeners.splice(at, 1);
      return { status: 204 };
    }
    const sent = Sent.safeParse(body);
    if (!sent.success) return { status: 422, body: { message: "Validation Failed" } };
    const { url } = sent.data.config;
    if (method === "PATCH") {
      listeners.splice(at, 1, { id: id ?? "", url, settings: body });
      return { status: 200, body: { id: Number(id) } };
    }
    if (listeners.some((listener) => listener.url === url)) {
      return { status: 422, body: { message: "Hook already exists on this repository" } };
    }
    const hook = { id: String(newId()), url, settings: body };
    listeners.push(hook);
    return { status: 201, body: { id: Number(hook.id), config: { url } } };
  },
};

import { createHash } from "node:crypto";
import { buildAgentCard } from "../../lib/a2a/agent-card.ts";
import { Reply } from "../../lib/edge/respond.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { buildResourceUrls } from "../../lib/platform/http/protected-resource.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

/** Seconds for which a client need not ask whether the card has changed. */
const maxAgeSeconds = 60;

export const handler = endpoint(rows.getAgentCard, async ({ db, ctx, params, headers }) => {
  const { tenant, readAgent, baseUrl } = ctx;
  const { agent } = params;
  const named = { tenant: tenant.id, agent };
  const { resource: url } = buildResourceUrls(baseUrl, rows.callA2a.path, named);
  const asked = { tenantId: tenant.id, agentId: agent, url, readAgent };
  const body = JSON.stringify(await buildAgentCard({ db, objects: objectStore() }, asked));
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const cached = {
    ETag: etag,
    "Cache-Control": `private, max-age=${maxAgeSeconds}`,
    Vary: "Authorization, X-API-KEY",
  };
  const known = (headers.get("if-none-match") ?? []).flatMap((value) => value.split(","));
  if (known.some((tag) => tag.trim().replace(/^W\//, "") === etag))
    return new Reply("", cached, 304);
  return new Reply(body, { ...cached, "Content-Type": "application/json" });
});

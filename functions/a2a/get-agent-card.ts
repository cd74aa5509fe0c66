import { createHash } from "node:crypto";
import { buildAgentCard } from "../../lib/a2a/agent-card.ts";
import { Reply } from "../../lib/edge/respond.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

/** Seconds for which a client need not ask whether the card has changed. */
const maxAgeSeconds = 60;
const cardPath = "/.well-known/agent-card.json";

export const handler = endpoint(rows.getAgentCard, async ({ db, ctx, params, headers }) => {
  const url = ctx.baseUrl + ctx.path.slice(0, -cardPath.length);
  const { tenant, readAgent } = ctx;
  const asked = { tenantId: tenant.id, agentId: params.agent, url, readAgent };
  const body = JSON.stringify(await buildAgentCard({ db, objects: objectStore() }, asked));
  const etag = `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;
  const cached = {
    ETag: etag,
    "Cache-Control": `private, max-age=${maxAgeSeconds}`,
    Vary: "Authorization, X-API-KEY",
  };
  const known = (headers.get("if-none-match") ?? []).flatMap((value) => value.split(/ *, */));
  if (known.some((tag) => tag.replace(/^W\//, "") === etag)) return new Reply("", cached, 304);
  return new Reply(body, { ...cached, "Content-Type": "application/json" });
});

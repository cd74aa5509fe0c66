import { toAsset } from "../../lib/knowledge/asset/asset-item.ts";
import { noSource } from "../../lib/knowledge/asset/no-source.ts";
import { startSync } from "../../lib/knowledge/sync/start-sync.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { notFound } from "../../lib/platform/http/problems.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, send, runtime: systemRuntime });

export const handler = endpoint(rows.syncAsset, async ({ db, ctx, params }) => {
  const outcome = await startSync(deps(db), { tenantId: ctx.tenant.id, assetId: params.asset });
  if (outcome === "missing") throw notFound("asset", params.asset);
  if (outcome === "no-source") throw noSource(params.asset);
  return toAsset(outcome);
});

import { deleteAsset } from "../../lib/knowledge/asset/delete-asset.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

const deps = (db: Database) => ({ db, send });

export const handler = endpoint(rows.deleteAsset, async ({ db, ctx, params }) => {
  await deleteAsset(deps(db), { tenantId: ctx.tenant.id, assetId: params.asset });
  return undefined;
});

import { endpoint } from "../../lib/edge/endpoint.ts";
import { deleteAsset } from "../../lib/knowledge/asset/delete-asset.ts";
import { database } from "../../lib/platform/db/database.ts";
import { send } from "../../lib/platform/queue/send.ts";
import * as rows from "./routes.ts";

const deps = () => ({ db: database(), send });

export const handler = endpoint(rows.deleteAsset, async ({ ctx, params }) => {
  await deleteAsset(deps(), { tenantId: ctx.tenant.id, assetId: params.asset });
  return undefined;
});

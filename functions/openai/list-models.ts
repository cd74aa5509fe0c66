import { listAgentModels } from "../../lib/openai/list-models.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.listModels, ({ db, ctx: { principal, tenant } }) =>
  listAgentModels(db, { principal, tenantId: tenant.id }),
);

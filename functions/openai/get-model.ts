import { getAgentModel } from "../../lib/openai/get-model.ts";
import { endpoint } from "../deps/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.getModel, ({ db, ctx: { principal, tenant }, params }) =>
  getAgentModel(db, { actor: { principal, tenantId: tenant.id }, model: params.model }),
);

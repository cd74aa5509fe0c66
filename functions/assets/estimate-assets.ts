import { endpoint } from "../../lib/edge/endpoint.ts";
import { estimateAssets } from "../../lib/knowledge/estimate/estimate-assets.ts";
import { estimateDeps } from "../deps/estimate-deps.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.estimateAssets, ({ ctx, params, body }) =>
  estimateAssets(estimateDeps(), {
    ctx,
    agentId: params.agent,
    type: body.type,
    parameters: body.parameters ?? {},
    at: "/parameters",
  }),
);

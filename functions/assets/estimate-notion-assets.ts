import { estimateAssets } from "../../lib/knowledge/estimate/estimate-assets.ts";
import { endpoint } from "../deps/endpoint.ts";
import { estimateDeps } from "../deps/estimate-deps.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.estimateNotionAssets, ({ ctx, params, body }) =>
  estimateAssets(estimateDeps(), {
    ctx,
    agentId: params.agent,
    type: "notion",
    parameters: body,
    at: "",
  }),
);

import { endpoint } from "../../lib/edge/endpoint.ts";
import { estimateDeps } from "../../lib/sources/deps.ts";
import { estimateAssets } from "../../lib/sources/estimate-assets.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.estimateZendeskAssets, ({ ctx, params, body }) =>
  estimateAssets({
    ctx,
    input: { agentId: params.agent, type: "zendesk", parameters: body, at: "" },
    deps: estimateDeps(),
  }),
);

import { estimateDeps } from "../../lib/agents/asset/deps.ts";
import { estimateAssets } from "../../lib/agents/asset/estimate-assets.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.estimateNotionAssets, ({ ctx, params, body }) =>
  estimateAssets({
    ctx,
    input: { agentId: params.agent, type: "notion", parameters: body, at: "" },
    deps: estimateDeps(),
  }),
);

import { estimateDeps } from "../../lib/agents/asset/deps.ts";
import { estimateAssets } from "../../lib/agents/asset/estimate-assets.ts";
import { endpoint } from "../../lib/edge/endpoint.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.estimateJiraAssets, ({ ctx, params, body }) =>
  estimateAssets({
    ctx,
    input: { agentId: params.agent, type: "jira", parameters: body, at: "" },
    deps: estimateDeps(),
  }),
);

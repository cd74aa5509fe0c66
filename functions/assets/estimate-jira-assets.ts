import { endpoint } from "../../lib/http/endpoint.ts";
import { estimateDeps } from "../../lib/sources/deps.ts";
import { estimateAssets } from "../../lib/sources/estimate-assets.ts";
import { estimateJiraAssets } from "./routes.ts";

export const handler = endpoint(estimateJiraAssets, estimateDeps, ({ ctx, params, body }, deps) =>
  estimateAssets({
    ctx,
    input: { agentId: params.agent, type: "jira", parameters: body, at: "" },
    deps,
  }),
);

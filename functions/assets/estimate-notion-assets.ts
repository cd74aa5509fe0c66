import { endpoint } from "../../lib/http/endpoint.ts";
import { estimateDeps } from "../../lib/sources/deps.ts";
import { estimateAssets } from "../../lib/sources/estimate-assets.ts";
import { estimateNotionAssets } from "./routes.ts";

export const handler = endpoint(estimateNotionAssets, estimateDeps, ({ ctx, params, body }, deps) =>
  estimateAssets({
    ctx,
    input: { agentId: params.agent, type: "notion", parameters: body, at: "" },
    deps,
  }),
);

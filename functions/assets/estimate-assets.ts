import { endpoint } from "../../lib/http/endpoint.ts";
import { estimateDeps } from "../../lib/sources/deps.ts";
import { estimateAssets as estimate } from "../../lib/sources/estimate-assets.ts";
import { estimateAssets } from "./routes.ts";

export const handler = endpoint(estimateAssets, estimateDeps, ({ ctx, params, body }, deps) =>
  estimate({
    ctx,
    input: {
      agentId: params.agent,
      type: body.type,
      parameters: body.parameters ?? {},
      at: "/parameters",
    },
    deps,
  }),
);

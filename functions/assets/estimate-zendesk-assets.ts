import { endpoint } from "../../lib/http/endpoint.ts";
import { estimateDeps } from "../../lib/sources/deps.ts";
import { estimateAssets } from "../../lib/sources/estimate-assets.ts";
import { estimateZendeskAssets } from "./routes.ts";

export const handler = endpoint(
  estimateZendeskAssets,
  estimateDeps,
  ({ ctx, params, body }, deps) =>
    estimateAssets({
      ctx,
      input: { agentId: params.agent, type: "zendesk", parameters: body, at: "" },
      deps,
    }),
);

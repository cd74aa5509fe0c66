import { endpoint } from "../../lib/http/endpoint.ts";
import { estimateDeps } from "../../lib/sources/deps.ts";
import { estimateAssets } from "../../lib/sources/estimate-assets.ts";
import { estimateGoogleDriveAssets } from "./routes.ts";

export const handler = endpoint(
  estimateGoogleDriveAssets,
  estimateDeps,
  ({ ctx, params, body }, deps) =>
    estimateAssets({
      ctx,
      input: {
        agentId: params.agent,
        type: "google_drive",
        parameters: { ...body, fileIds: body.fileIds?.join(",") ?? null },
        at: "",
      },
      deps,
    }),
);

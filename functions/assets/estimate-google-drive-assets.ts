import { endpoint } from "../../lib/edge/endpoint.ts";
import { estimateDeps } from "../../lib/sources/deps.ts";
import { estimateAssets } from "../../lib/sources/estimate-assets.ts";
import * as rows from "./routes.ts";

export const handler = endpoint(rows.estimateGoogleDriveAssets, ({ ctx, params, body }) =>
  estimateAssets({
    ctx,
    input: {
      agentId: params.agent,
      type: "google_drive",
      parameters: { ...body, fileIds: body.fileIds?.join(",") ?? null },
      at: "",
    },
    deps: estimateDeps(),
  }),
);

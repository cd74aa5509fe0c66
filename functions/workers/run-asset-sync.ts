import { consumer } from "../../lib/edge/consumer.ts";
import { syncAsset } from "../../lib/knowledge/sync/sync-asset.ts";
import { syncDeps } from "../deps/sync-deps.ts";
import * as rows from "./messages.ts";

/** Time reserved for handing over before the timeout. */
const finishMs = 60_000;

export const handler = consumer(
  rows.runAssetSync,
  syncDeps,
  (message, deps, { deadline, attempt }) =>
    syncAsset(deps, { message, receipt: { until: deadline - finishMs, attempt } }),
);

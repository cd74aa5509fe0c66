import * as z from "zod";
import { TenantId } from "../platform/db/tenant-id.ts";

/** Purges the examples of a deleted dataset. Idempotent. */
export const PurgeDatasetMessage = z.object({
  type: z.literal("purge-dataset"),
  tenantId: TenantId,
  datasetId: z.string(),
  contentId: z.string(),
});
export type PurgeDatasetMessage = z.output<typeof PurgeDatasetMessage>;

/** Asks for an experiment to be driven, or for that to be continued. Safe to repeat and to arrive late. */
export const RunExperimentMessage = z
  .object({
    type: z.literal("run-experiment"),
    tenantId: TenantId,
    experimentId: z.string(),
  })
  .meta({
    example: {
      type: "run-experiment",
      tenantId: "0193f0a0-7c4b-7000-8000-000000000000",
      experimentId: "0193f0a0-7c4b-7000-8000-000000000001",
    },
  });
export type RunExperimentMessage = z.output<typeof RunExperimentMessage>;

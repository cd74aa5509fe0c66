import * as z from "zod";
import { ChosenId, Timestamp, Uuid } from "../../platform/http/ids.ts";
import { refuseUnknown } from "../../platform/http/unknown-members.ts";
import { limitedRecord } from "../../values/json/limited-record.ts";

const versions = {
  skills: z
    .array(z.object({ id: z.string(), modifiedAt: Timestamp.nullable() }))
    .meta({ description: "Skills of its flow; `modifiedAt` is null for one that did not exist." }),
  integrationConfigs: z
    .array(z.object({ id: z.string(), revision: z.int().nullable() }))
    .meta({ description: "Integration configs of its flow, in their revision." }),
};

/** The versions of skills and integration configs when a revision was deployed. */
export const DeployedVersions = z.object(versions).meta({ id: "DeployedVersions" });
export type DeployedVersions = z.output<typeof DeployedVersions>;

/** The versions in the experiment that the deployment of a revision required. */
export const TestedVersions = z
  .object({ experimentId: Uuid, ...versions })
  .meta({ id: "TestedVersions" });
export type TestedVersions = z.output<typeof TestedVersions>;

/** Request body that deploys a revision, optional. */
export const DeployRevisionBody = z
  .object({
    require: refuseUnknown(
      z
        .object({
          experimentId: Uuid,
          minimum: limitedRecord(ChosenId, z.number(), 100)
            .refine((minimum) => Object.keys(minimum).length > 0, "must name a scorer")
            .meta({
              description: "Lowest mean of the revision by scorer.",
              example: { correct: 0.9 },
            }),
        })
        .meta({
          id: "RequiredResults",
          description: "Refuses the deployment (409) unless the revision reached these means.",
        }),
    ).nullish(),
  })
  .default({})
  .meta({ id: "DeployRevisionBody", example: {} });
export type DeployRevisionBody = z.output<typeof DeployRevisionBody>;

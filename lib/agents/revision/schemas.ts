import * as z from "zod";
import { ChosenId, Timestamp } from "../../platform/http/ids.ts";
import { pageSchema } from "../../platform/http/paging.ts";
import { contentMembers } from "./content.ts";
import { DeployedVersions, TestedVersions } from "./deployment.ts";

/** Revision number in a path. */
export const RevisionNumber = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, "must be a revision number")
  .transform(Number)
  .meta({
    description: "Revision number.",
    override: { type: "integer", minimum: 1 },
    example: "1",
  });

/** Public representation of a revision. */
export const Revision = z
  .object({ agentId: ChosenId, agentRevision: z.int(), ...contentMembers })
  .meta({ id: "Revision" });
export type Revision = z.output<typeof Revision>;

/** References of a new revision that probably do not resolve when it runs. */
const RevisionWarning = z
  .object({
    pointer: z.string().meta({ description: "JSON pointer into the request body." }),
    detail: z.string(),
  })
  .meta({ id: "RevisionWarning" });

/** A revision as its creation returns it. */
export const CreatedRevision = Revision.extend({
  warnings: z.array(RevisionWarning).meta({
    description:
      "Tools that the flow names and that the published document of an `openapi` config does not have, and configs that are not published. Not stored.",
  }),
}).meta({ id: "CreatedRevision" });
export type CreatedRevision = z.output<typeof CreatedRevision>;

/** A revision in a list. */
export const RevisionSummary = z
  .object({
    agentRevision: z.int(),
    comment: z.string().nullable(),
    createdAt: Timestamp,
    createdBy: z.string().meta({ description: "Id of the user or API key." }),
    deployedAt: Timestamp.nullable(),
    deployedBy: z.string().nullable().meta({ description: "Id of the user or API key." }),
    deployedWith: DeployedVersions.nullable().default(null).meta({
      description: "Versions at its last deployment; null before.",
    }),
    testedWith: TestedVersions.nullable().default(null).meta({
      description: "Versions in the experiment that a deployment required last; null without one.",
    }),
  })
  .meta({ id: "RevisionSummary" });
export type RevisionSummary = z.output<typeof RevisionSummary>;

/** A page of revisions, newest first. */
export const RevisionPage = pageSchema(RevisionSummary, "RevisionPage");

/** Revision number in a path, or `*` for all revisions. */
export const RevisionOrAll = z
  .string()
  .regex(/^(?:[1-9]\d{0,9}|\*)$/, "must be a revision number, or * for all revisions")
  .transform((value): number | "*" => (value === "*" ? "*" : Number(value)))
  .meta({ description: "Revision number, or `*` for all revisions.", example: "1" });

/** A revision in an agent's history. */
export const HistoryItem = z
  .object({
    agentId: ChosenId,
    agentRevision: z.int(),
    comment: z.string().nullable(),
    createdAt: Timestamp,
    createdBy: z.string().meta({ description: "Id of the user or API key." }),
  })
  .meta({ id: "HistoryItem" });

/** A page of an agent's history, oldest first. */
export const HistoryPage = pageSchema(HistoryItem, "HistoryPage");

import * as z from "zod";
import { CheckVerdict, GuardedPlace, GuardrailCheck } from "../../engine/guardrails/schemas.ts";
import { ChosenId, Timestamp } from "../../platform/http/ids.ts";
import { pageSchema } from "../../platform/http/paging.ts";
import { refuseUnknown } from "../../platform/http/unknown-members.ts";

const displayName = z.string().min(1).max(200);
const maxChecks = 20;
const checks = z.array(GuardrailCheck).min(1).max(maxChecks);
const revision = z.int().meta({ description: "1, 2, 3 and so on: every change makes a revision." });

/** A guardrail in its latest revision: public representation, and as it is stored. */
export const Guardrail = z
  .object({
    id: ChosenId,
    displayName,
    checks,
    revision,
    createdAt: Timestamp,
    modifiedAt: Timestamp,
  })
  .meta({ id: "Guardrail" });
export type Guardrail = z.output<typeof Guardrail>;

/** A page of guardrails, by id. */
export const GuardrailPage = pageSchema(Guardrail, "GuardrailPage");

/** A revision of a guardrail. */
export const GuardrailRevision = z
  .object({ guardrailId: ChosenId, revision, displayName, checks, createdAt: Timestamp })
  .meta({ id: "GuardrailRevision" });
export type GuardrailRevision = z.output<typeof GuardrailRevision>;

/** A page of revisions, newest first. */
export const GuardrailRevisionPage = pageSchema(GuardrailRevision, "GuardrailRevisionPage");

const sentChecks = z.array(refuseUnknown(GuardrailCheck)).min(1).max(maxChecks);

/** Request body that creates a guardrail. */
export const CreateGuardrailBody = z
  .object({ id: ChosenId.nullish(), displayName, checks: sentChecks })
  .meta({
    id: "CreateGuardrailBody",
    example: {
      id: "privacy",
      displayName: "Privacy",
      checks: [{ id: "pii", type: "Pii", kinds: ["Email"], on: ["output"], action: "mask" }],
    },
  });
export type CreateGuardrailBody = z.output<typeof CreateGuardrailBody>;

/** Request body that changes a guardrail, which makes a revision; replaces the members sent. */
export const UpdateGuardrailBody = z
  .object({ displayName: displayName.optional(), checks: sentChecks.optional() })
  .meta({ id: "UpdateGuardrailBody", example: { displayName: "Personal data" } });
export type UpdateGuardrailBody = z.output<typeof UpdateGuardrailBody>;

/** Request body that tries a guardrail with a value. */
export const CheckGuardrailBody = z
  .object({ on: GuardedPlace, value: z.unknown().meta({ description: "Any JSON." }) })
  .meta({
    id: "CheckGuardrailBody",
    example: { on: "output", value: "It is PROJECT-7." },
  });
export type CheckGuardrailBody = z.output<typeof CheckGuardrailBody>;

/** Result of a guardrail for a value. */
export const GuardrailResult = z
  .object({
    blocked: z.boolean(),
    value: z.unknown().meta({ description: "The value as the checks leave it; null if blocked." }),
    verdicts: z.array(CheckVerdict),
    cost: z.number().meta({ description: "US dollars that Judges cost." }),
  })
  .meta({ id: "GuardrailResult" });

import * as z from "zod";
import { EmbeddingModel } from "../../engine/models/embedding-model.ts";
import { ChosenId, isUuid, Timestamp, Uuid } from "../../platform/http/ids.ts";
import { Retention, RetentionDays } from "./retention.ts";

/** A tenant's name in paths: unique over all organizations, and never of a uuid's form. */
export const TenantSlug = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    "must be 1 to 63 lower-case letters, digits or dashes, and neither start nor end with a dash",
  )
  .refine((slug) => !isUuid(slug), "must not look like a uuid")
  .meta({ description: "A unique name, which paths accept in place of the id.", example: "demo" });

/** Guardrails that a tenant applies to all its agents, before those that their revisions name. */
const FloorGuardrails = z.array(ChosenId).max(20).meta({
  description:
    "Ids of guardrails for all agents, applied before those of a revision. A change reaches all executions within five minutes.",
});

/** A tenant as the API shows it. */
export const Tenant = z
  .object({
    id: Uuid,
    slug: TenantSlug,
    displayName: z.string().meta({ example: "Demo" }),
    organizationId: z.string().meta({ example: "local" }),
    retention: Retention.prefault({}),
    embedding: EmbeddingModel.nullable()
      .default(null)
      .meta({ description: "The model that embeds memories; null for `echo`." }),
    guardrails: FloorGuardrails.default([]),
    createdAt: Timestamp,
    modifiedAt: Timestamp,
  })
  .meta({ id: "Tenant" });
export type Tenant = z.output<typeof Tenant>;

/** Every tenant of the caller's organization that the caller may see. */
export const TenantList = z.array(Tenant).meta({ id: "TenantList" });

const displayName = z.string().min(1).max(200).meta({ example: "Demo" });

/** Body of a create request. */
export const CreateTenantBody = z
  .object({
    slug: TenantSlug,
    displayName,
  })
  .meta({ id: "CreateTenantBody", example: { slug: "acme", displayName: "Acme" } });
export type CreateTenantBody = z.output<typeof CreateTenantBody>;

/** Body of an update. Members of `retention` that are left out stay as they are. */
export const UpdateTenantBody = z
  .object({
    displayName: displayName.optional(),
    retention: z
      .object({
        executionDays: RetentionDays.optional(),
        traceDays: RetentionDays.optional(),
        deliveryDays: RetentionDays.optional(),
      })
      .optional(),
    embedding: EmbeddingModel.nullable().optional(),
    guardrails: FloorGuardrails.optional(),
  })
  .refine(
    (body) => Object.values(body).some((member) => member !== undefined),
    "must have displayName, retention, embedding or guardrails",
  )
  .meta({
    id: "UpdateTenantBody",
    example: { retention: { executionDays: 90, traceDays: 30, deliveryDays: 30 } },
  });
export type UpdateTenantBody = z.output<typeof UpdateTenantBody>;

import * as z from "zod";
import { ScopeName } from "../../platform/auth/scopes.ts";
import { Timestamp, Uuid } from "../../platform/http/ids.ts";
import { pageSchema } from "../../platform/http/paging.ts";
import { AuditActor, RequestContext } from "../audit/schemas.ts";

const name = z.string().min(1).max(200).meta({ example: "Production runner" });
const scopes = z.array(ScopeName);
const expiresAt = z.iso
  .datetime({ offset: true })
  .nullable()
  .meta({ description: "ISO 8601, UTC; null for never.", example: "2030-01-01T00:00:00.000Z" });
const lastUsedAt = Timestamp.nullable();

/** The principal that made a change. */
export const Actor = z
  .object({ type: z.enum(["User", "ApiKey"]), id: z.string() })
  .meta({ id: "Actor" });
export type Actor = z.output<typeof Actor>;

const apiKeyFields = {
  id: Uuid,
  name,
  scopes,
  prefix: z.string().meta({ description: "The prefix of the key.", example: "wharf" }),
  last4: z.string().meta({ description: "The key's last four characters.", example: "9xQ2" }),
  createdAt: Timestamp,
  createdBy: Actor,
  modifiedAt: Timestamp,
  lastUsedAt,
  expiresAt,
  status: z.enum(["Active", "Expired", "Revoked"]),
};

/** An API key, without its secret. */
export const ApiKey = z.object(apiKeyFields).meta({ id: "ApiKey" });
export type ApiKey = z.output<typeof ApiKey>;

/** A new key with its secret, which no other response contains. */
export const IssuedApiKey = z
  .object({
    ...apiKeyFields,
    key: z.string().meta({ description: "The API key. No later response shows it." }),
  })
  .meta({ id: "IssuedApiKey" });

/** Body of a create request; exactly one of `scopes` and `preset`. */
export const GenerateApiKeyBody = z
  .object({
    name,
    scopes: scopes.min(1).max(100).optional(),
    preset: z.string().optional().meta({
      description: "Runner, Builder, Read-only or Admin; not case-sensitive.",
      example: "Runner",
    }),
    expiresAt: expiresAt.optional(),
  })
  .meta({ id: "GenerateApiKeyBody", example: { name: "Production runner", preset: "Runner" } });
export type GenerateApiKeyBody = z.output<typeof GenerateApiKeyBody>;

/** Body of a rotation, optional: further changes. */
export const RotateApiKeyBody = z
  .object({
    name: name.optional(),
    scopes: scopes.min(1).max(100).optional(),
    expiresAt: expiresAt.optional(),
    graceSeconds: z
      .int()
      .min(0)
      .max(604_800)
      .default(0)
      .meta({ description: "Seconds that the previous secret stays valid." }),
  })
  .default({ graceSeconds: 0 })
  .meta({ id: "RotateApiKeyBody", example: { graceSeconds: 0 } });
export type RotateApiKeyBody = z.output<typeof RotateApiKeyBody>;

/** Body of an update; at least one member. */
export const UpdateApiKeyBody = z
  .object({
    name: name.optional(),
    scopes: scopes.min(1).max(100).optional(),
    expiresAt: expiresAt.optional(),
  })
  .refine(
    (body) => body.name !== undefined || body.scopes !== undefined || body.expiresAt !== undefined,
    "must have at least one of name, scopes and expiresAt",
  )
  .meta({ id: "UpdateApiKeyBody", example: { name: "Nightly runner" } });
export type UpdateApiKeyBody = z.output<typeof UpdateApiKeyBody>;

/** A page of keys, oldest first. */
export const ApiKeyPage = pageSchema(ApiKey, "ApiKeyPage");

const isoTime = z.string().nullable().meta({ description: "ISO 8601, UTC." });

/** An audit event of a key. */
export const AuditEvent = z
  .object({
    id: Uuid,
    apiKeyId: Uuid,
    type: z.enum(["Issued", "Rotated", "ScopesChanged", "Updated", "Revoked"]),
    actor: AuditActor,
    previousScopes: z.array(z.string()).nullable(),
    newScopes: z.array(z.string()).nullable(),
    previousExpiresAt: isoTime,
    newExpiresAt: isoTime,
    requestContext: RequestContext,
    createdAt: Timestamp,
  })
  .meta({ id: "AuditEvent" });
export type AuditEvent = z.output<typeof AuditEvent>;

/** A page of audit events, most recent first. */
export const AuditEventPage = pageSchema(AuditEvent, "AuditEventPage");

/** The calling API key. */
export const CurrentApiKey = z
  .object({ id: Uuid, name, scopes, lastUsedAt, expiresAt })
  .meta({ id: "CurrentApiKey" });

/** The live scope catalog. */
export const ScopeCatalog = z
  .object({
    scopes: z.array(
      z.object({
        scope: z.string(),
        resource: z.string(),
        action: z.string(),
        description: z.string(),
      }),
    ),
    presets: z.array(z.object({ name: z.string(), scopes: z.array(z.string()) })),
  })
  .meta({ id: "ScopeCatalog" });

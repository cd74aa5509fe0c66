import * as z from "zod";
import { Timestamp, Uuid } from "../../platform/http/ids.ts";
import { pageSchema } from "../../platform/http/paging.ts";

/** Types of resources with an audit trail. */
export const auditedResources = [
  "AccessRequest",
  "Agent",
  "ApiKey",
  "Approval",
  "Asset",
  "Budget",
  "ChatUser",
  "Session",
  "Collaborator",
  "Connection",
  "Connector",
  "Dataset",
  "Document",
  "EventDestination",
  "Execution",
  "Experiment",
  "File",
  "IntegrationConfig",
  "Guardrail",
  "LlmProvider",
  "Memory",
  "OnlineEvaluation",
  "Revision",
  "Score",
  "Scorer",
  "Skill",
  "Subscription",
  "Tenant",
  "Webhook",
] as const;
export type AuditedResource = (typeof auditedResources)[number];

/** The principal that made a change. */
export const AuditActor = z
  .object({ type: z.enum(["User", "ApiKey"]), id: z.string(), email: z.string().nullable() })
  .meta({ id: "AuditActor" });

/** The request that made a change. */
export const RequestContext = z
  .object({
    requestId: z.string(),
    sourceIp: z.string(),
    userAgent: z.string().nullable(),
    method: z.string(),
    path: z.string(),
  })
  .meta({ id: "RequestContext" });

/** A change of a resource by a call of the API. */
export const AuditRecord = z
  .object({
    id: Uuid,
    tenantId: Uuid.nullable().meta({
      description: "The tenant of the resource; null for a resource of the organization.",
    }),
    actor: AuditActor,
    action: z.string().meta({
      description: "The operationId of the call.",
      example: "updateAgent",
    }),
    resource: z.object({
      type: z.enum(auditedResources),
      id: z.string().meta({
        description: "The ids in the call's path, and the id of what it created.",
        example: "triage/3",
      }),
    }),
    changes: z.array(z.string()).meta({
      description: "Names of the members that the call set, without values.",
      example: ["displayName"],
    }),
    requestContext: RequestContext,
    createdAt: Timestamp,
  })
  .meta({ id: "AuditRecord" });
export type AuditRecord = z.output<typeof AuditRecord>;

/** A page of audit records, newest first. */
export const AuditRecordPage = pageSchema(AuditRecord, "AuditRecordPage");

import * as z from "zod";
import { createDefineRoute } from "../../lib/edge/route.ts";
import { pagingQuery, queryTime } from "../../lib/platform/http/paging.ts";
import { AuditRecordPage, auditedResources } from "../../lib/tenancy/audit/schemas.ts";

const route = createDefineRoute("audit-records");

export const listAuditRecords = route({
  operation: "list-audit-records",
  method: "GET",
  path: "/v1/auditEvents",
  summary: "Lists the organization's changes, newest first",
  scope: "organization:read",
  query: {
    ...pagingQuery,
    actorId: z.string().min(1).optional().meta({ description: "Id of the user or API key." }),
    resourceType: z.enum(auditedResources).optional(),
    resourceId: z
      .string()
      .min(1)
      .optional()
      .meta({ description: "Id as in `resource.id`, such as `triage/3`." }),
    from: queryTime("Earliest createdAt, inclusive, Unix milliseconds."),
    to: queryTime("Latest createdAt, inclusive, Unix milliseconds."),
  },
  response: { status: 200, schema: AuditRecordPage },
  access: { table: "read" },
});

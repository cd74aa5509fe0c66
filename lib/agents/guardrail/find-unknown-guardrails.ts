import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { ValidationIssue } from "../../platform/http/problems.ts";
import { getGuardrails } from "./store.ts";

/** Finds named guardrails that do not exist, with pointers to `/guardrails`. */
export const findUnknownGuardrails = async (
  db: Database,
  tenantId: TenantId,
  ids: readonly string[],
): Promise<ValidationIssue[]> => {
  if (ids.length === 0) return [];
  const found = await getGuardrails(db, tenantId, ids);
  return ids.flatMap((id, at) =>
    found[at]
      ? []
      : [{ pointer: `/guardrails/${at}`, detail: `there is no guardrail "${id.slice(0, 128)}"` }],
  );
};

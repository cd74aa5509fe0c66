import { requireRole } from "../edge/authorize.ts";
import type { ExecutionDeps } from "../executions/job/job.ts";
import { isReader } from "../executions/read/read-execution.ts";
import { cancelStoredExecution } from "../executions/recover/cancel-execution.ts";
import type { Trigger } from "../executions/schemas.ts";
import { Problem } from "../platform/http/problems.ts";
import { effects } from "../tenancy/collaborator/may.ts";
import { type DescribeContext, describeResponse } from "./describe-response.ts";
import { noResponse, parseResponseId } from "./ids.ts";
import type { OpenAiResponse } from "./schemas.ts";

/** Cancels the execution of a response. Throws 404, and 409 for one that has ended. */
export const cancelResponse = async (
  deps: Pick<ExecutionDeps, "db" | "objects" | "runtime" | "send">,
  { ctx, id }: { ctx: DescribeContext; id: string },
): Promise<OpenAiResponse> => {
  const { tenant, principal } = ctx;
  const key = parseResponseId(id);
  if (!key) throw noResponse(id, "response_id");
  const row = { ...effects.run, access: { table: "write" }, readsAgent: false } as const;
  const caller = { principal, tenantId: tenant.id, agentId: key.agentId };
  await requireRole({ database: () => deps.db }, { row, ...caller });
  const authorize = (trigger: Trigger | undefined) => {
    if (!trigger || !isReader(principal, "executions:read", trigger)) {
      throw noResponse(id, "response_id");
    }
  };
  const target = { ...key, tenantId: tenant.id };
  const found = await cancelStoredExecution({ ...deps, authorize }, target).catch(
    (error: unknown) => {
      throw error instanceof Problem && error.slug === "conflict"
        ? new Problem("conflict", error.message, { members: { param: "response_id" } })
        : error;
    },
  );
  return describeResponse(deps, { ctx, found });
};

import type { StoredExecution } from "../../executions/record/execution-record.ts";
import { getKeptExecution } from "../../executions/record/store.ts";
import { readEnd, readInput } from "../../executions/record/values.ts";
import { mask } from "../../platform/http/mask.ts";
import { type ValidationIssue, validationFailed } from "../../platform/http/problems.ts";
import { authorizeEffect } from "../../tenancy/collaborator/authorize.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { addExamples, type ExampleDeps } from "./add-examples.ts";
import { maxExampleBytes } from "./limits.ts";
import type { AddedExamples, AddFromExecutionsBody, SentExample } from "./schemas.ts";

/** Executions that are read at a time. */
const readAtOnce = 10;

/**
 * Adds examples with the inputs of executions, without secrets, and with the outputs of those that succeeded. An
 * example has the id of its execution, so that adding it again replaces it. Throws 403 for a caller who may not read
 * the agent's executions, 400 for executions that do not exist or are too large, and what `addExamples` throws.
 */
export const addFromExecutions = async (
  deps: ExampleDeps,
  {
    ctx,
    datasetId,
    agentId,
    executionIds,
  }: { ctx: Pick<TenantContext, "clock" | "randomBytes" | "tenant" | "once" | "principal"> } & {
    datasetId: string;
  } & AddFromExecutionsBody,
): Promise<AddedExamples> => {
  const { tenant, principal } = ctx;
  const reading = { scope: "executions:read", role: "Viewer" } as const;
  await authorizeEffect(deps.db, { principal, tenantId: tenant.id }, reading, [agentId]);
  const items: SentExample[] = [];
  const errors: ValidationIssue[] = [];
  for (let start = 0; start < executionIds.length; start += readAtOnce) {
    const read = await Promise.all(
      executionIds.slice(start, start + readAtOnce).map(async (id) => {
        const place = { agentId, executionId: id, now: ctx.clock() };
        const found = await getKeptExecution(deps.db, tenant.id, place);
        return found && (await toExample(found, deps));
      }),
    );
    for (const [at, item] of read.entries()) {
      const pointer = toItemPointer(start + at);
      if (!item) errors.push({ pointer, detail: "is not an execution of this agent" });
      else if (Buffer.byteLength(JSON.stringify(item)) > maxExampleBytes) {
        errors.push({ pointer, detail: `has more than ${maxExampleBytes} bytes` });
      } else items.push(item);
    }
  }
  if (errors.length > 0) throw validationFailed(errors);
  return addExamples(deps, { ctx, datasetId, items, toItemPointer });
};

const toItemPointer = (at: number): string => `/executionIds/${at}`;

const toExample = async (found: StoredExecution, deps: ExampleDeps): Promise<SentExample> => {
  const { id, agentId, agentRevision, status } = found.item;
  const [{ input }, end] = await Promise.all([
    readInput(deps, found),
    status === "Succeeded" ? readEnd(deps, found, { needsTrace: false }) : undefined,
  ]);
  const shown = Object.entries(input).filter(([, value]) => !found.secrets || value !== mask);
  return {
    id,
    input: Object.fromEntries(shown),
    expected: end?.output ?? null,
    metadata: { agentId, agentRevision, executionId: id },
  };
};

import type { TenantId } from "../../platform/db/tenant-id.ts";
import { newUuid } from "../../platform/runtime/runtime.ts";
import { abandonExecution } from "./abandon-execution.ts";
import { listSteps } from "./checkpoint-store.ts";
import type { ExecutionDeps } from "./context.ts";
import { loadJob } from "./load-job.ts";
import { claimOpen, forgetOpen } from "./open-store.ts";
import { runOpenExecution } from "./run-open-execution.ts";
import { cancelJob } from "./settle-sub-agents.ts";
import { putRunning } from "./store.ts";
import { leaseMs, longestExecutionMs, maxClaims } from "./times.ts";

/**
 * Claims an execution that no worker holds and runs it until it ends, or hands it over shortly before the
 * deadline. Does not repeat finished steps. Does nothing when the execution is settled or claimed.
 * @param deadline when the function times out, Unix milliseconds
 */
export const continueExecution = async (
  deps: ExecutionDeps,
  { tenantId, agentId, executionId }: { tenantId: TenantId; agentId: string; executionId: string },
  deadline: number,
): Promise<void> => {
  const { db, runtime } = deps;
  const owner = newUuid(runtime);
  const now = runtime.clock();
  const claimed = await claimOpen(db, executionId, {
    owner,
    now,
    leaseUntil: now + leaseMs,
    endsBy: now + longestExecutionMs,
  });
  if (!claimed) return;
  if (claimed.claims > maxClaims) return abandonExecution(deps, claimed);
  const longestEnd = claimed.endsBy ?? now + longestExecutionMs;
  const endsBy = longestEnd - longestExecutionMs + (claimed.limitMs ?? longestExecutionMs);
  const loaded = await loadJob(deps, tenantId, { agentId, executionId }, { owner, endsBy });
  if (!loaded) return forgetOpen(db, executionId);
  const job = { ...loaded.job, owner };
  if (claimed.cancelled || (await putRunning(db, tenantId, job.item)) === "ended") {
    await cancelJob(deps, job);
    return;
  }
  const place = { tenantId, agentId, executionId };
  const completed =
    claimed.claims > 1 || job.item.status === "Running" ? await listSteps(deps, place) : undefined;
  const run = runOpenExecution(deps, job, {
    deadline,
    inBackground: true,
    ...(completed && { completed }),
  });
  await run.ended;
};

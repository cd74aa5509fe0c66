import type { TenantId } from "../../platform/db/tenant-id.ts";
import { asError } from "../../platform/runtime/as-error.ts";
import { log } from "../../platform/runtime/log.ts";
import { once } from "../../platform/runtime/once.ts";
import { ProcessorBudget } from "../../platform/sandbox/processor-budget.ts";
import { createSandbox, type Sandbox } from "../../platform/sandbox/sandbox.ts";
import { SandboxLimitError } from "../../platform/sandbox/sandbox-error.ts";
import { sandboxTask } from "../../platform/sandbox/task.ts";
import type * as extractTask from "./extract-file-task.ts";
import type { Extracted } from "./extract-file-task.ts";
import type { UploadedFile } from "./file-kind.ts";
import { fileLimits } from "./file-limits.ts";

const task = sandboxTask<typeof extractTask>(new URL("./extract-file-task.ts", import.meta.url));

/** The threads that read files; their heap is larger than that of other tasks. */
const fileSandbox = once(async () => createSandbox(fileLimits.heapMegabytes));

const runSandbox = once(async () => createSandbox(fileLimits.runHeapMegabytes));

/** Creates the processor budget of all files that a run of an execution reads, with threads of a smaller heap. */
export const openReadBudget = async (tenantId: TenantId): Promise<ProcessorBudget> =>
  new ProcessorBudget(tenantId, fileLimits.runMs, await runSandbox());

/**
 * Reads the text of a file in a thread of its own, with limits of processor time and memory. Returns the reason when the
 * file is encrypted, broken, without text, of another kind, or beyond a limit.
 */
export const extractText = async (
  tenantId: TenantId,
  file: UploadedFile,
  {
    sandbox,
    readMs = fileLimits.readMs,
    budget: shared,
  }: { sandbox?: Sandbox; readMs?: number; budget?: ProcessorBudget } = {},
): Promise<Extracted> => {
  const budget = shared ?? new ProcessorBudget(tenantId, readMs, sandbox ?? (await fileSandbox()));
  try {
    return await budget.run(task, file, readMs);
  } catch (error) {
    if (error instanceof SandboxLimitError) return { ok: false, reason: reasons[error.limit] };
    log("file-unreadable", { error: asError(error) });
    return { ok: false, reason: "cannot be read." };
  }
};

const reasons = {
  time: "takes too long to read.",
  total: "takes too long to read.",
  memory: "exceeds the memory limit.",
} as const;

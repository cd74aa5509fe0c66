import type { ExecuteContext } from "../executions/run/execute-agent.ts";
import type { ProcessorBudget } from "../platform/sandbox/processor-budget.ts";
import type { AuditedCall } from "../tenancy/audit/with-audit.ts";

/** The caller of agents with the call that audit records describe, and the deadline of the response, Unix milliseconds. */
export type AgentCaller = Pick<
  ExecuteContext,
  "tenant" | "principal" | "traceContext" | "waitUntil" | "once"
> &
  Omit<AuditedCall, "tenant" | "principal"> & {
    respondBy: number;
    /** Base URL of the API for this caller. */
    baseUrl: string;
    /** Base URL of the console, with a slash at the end; null without a console. */
    consoleUrl: string | null;
    /** Processor budget shared by the calls of one request. */
    processor: ProcessorBudget;
    /** Milliseconds after which a call continues as a task, for a client that takes one. */
    taskAfterMs: number;
  };

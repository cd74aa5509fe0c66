import { TestDraftBody } from "../../lib/agents/revision/draft.ts";
import { createDefineRoute } from "../../lib/edge/route.ts";
import {
  ExecuteAgentBody,
  ExecutionDetail,
  ExecutionRecordPage,
  ExecutionResult,
  ExecutionTrace,
  executing,
  executionFilters,
} from "../../lib/executions/schemas.ts";
import { ChosenId, Uuid } from "../../lib/platform/http/ids.ts";
import { pagingQuery, queryTime } from "../../lib/platform/http/paging.ts";

const route = createDefineRoute("executions");

export const executeAgent = route({
  operation: "execute-agent",
  concurrencyWeight: 14,
  method: "POST",
  path: "/v1/tenants/{tenant}/agents/{agent}:execute",
  summary:
    "Executes an agent: waits for its output, responds once it is accepted, or streams its events",
  scope: "agents:execute",
  params: { agent: ChosenId },
  body: ExecuteAgentBody,
  ...executing,
});

export const testDraft = route({
  operation: "test-draft",
  method: "POST",
  path: "/v1/tenants/{tenant}/agents/{agent}:test-draft",
  summary:
    "Tests a draft of a revision without storing it, with the options of execute; also requires revisions:write",
  scope: "agents:test",
  params: { agent: ChosenId },
  body: TestDraftBody,
  ...executing,
});

const listQuery = {
  ...pagingQuery,
  startTime: queryTime("Earliest startTime, inclusive, Unix milliseconds."),
  endTime: queryTime("Latest startTime, inclusive, Unix milliseconds."),
  ...executionFilters,
} as const;

export const listExecutionRecords = route({
  operation: "list-execution-records",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/execution-records",
  summary: "Lists execution records, newest first",
  scope: "executions:read",
  params: { agent: ChosenId },
  query: listQuery,
  response: { status: 200, schema: ExecutionRecordPage },
  access: { table: "read" },
  readsAgent: true,
});

export const listTenantExecutionRecords = route({
  operation: "list-tenant-execution-records",
  method: "GET",
  path: "/v1/tenants/{tenant}/execution-records",
  summary: "Lists execution records of all agents, newest first",
  scope: "executions:read",
  query: {
    ...listQuery,
    agentId: ChosenId.optional().meta({ description: "Returns only executions of this agent." }),
  },
  response: { status: 200, schema: ExecutionRecordPage },
  problems: ["not-found"],
  access: { table: "read" },
});

export const getExecutionRecord = route({
  operation: "get-execution-record",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/execution-records/{executionRecord}",
  summary: "Retrieves an execution record with its input, output and error",
  scope: "executions:read",
  starterScope: "agents:execute",
  params: { agent: ChosenId, executionRecord: Uuid },
  response: { status: 200, schema: ExecutionDetail },
  access: { table: "read", bucket: "read" },
});

export const getExecutionTrace = route({
  operation: "get-execution-trace",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/execution-records/{executionRecord}/trace",
  summary: "Retrieves the trace of an execution",
  scope: "traces:read",
  params: { agent: ChosenId, executionRecord: Uuid },
  response: { status: 200, schema: ExecutionTrace },
  access: { table: "read", bucket: "read" },
});

export const cancelExecution = route({
  operation: "cancel-execution",
  changes: "Execution",
  method: "POST",
  path: "/v1/tenants/{tenant}/agents/{agent}/execution-records/{executionRecord}:cancel",
  summary: "Cancels an execution that has not ended",
  scope: "agents:execute",
  params: { agent: ChosenId, executionRecord: Uuid },
  response: { status: 202, schema: ExecutionResult },
  problems: ["conflict"],
  access: { table: "write", publishes: ["executions", "schedules"] },
});

import {
  ExecuteAgentBody,
  ExecutionDetail,
  ExecutionRecordPage,
  ExecutionResult,
} from "../../lib/execution/schemas.ts";
import { ChosenId, Uuid } from "../../lib/http/ids.ts";
import { pagingQuery, queryTime } from "../../lib/http/paging.ts";
import { routesOf } from "../../lib/http/route.ts";

const route = routesOf("executions");

export const executeAgent = route({
  operation: "execute-agent",
  method: "POST",
  path: "/v1/tenants/{tenant}/agents/{agent}:execute",
  summary: "Run an agent and wait for its output",
  scope: "agents:execute",
  params: { agent: ChosenId },
  body: ExecuteAgentBody,
  response: { status: 200, schema: ExecutionResult },
  problems: ["conflict", "execution-failed", "upstream-failed", "upstream-timeout"],
  access: { table: "write", bucket: "write", secrets: "open" },
});

export const listExecutionRecords = route({
  operation: "list-execution-records",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/execution-records",
  summary: "List executions, most recent first",
  scope: "executions:read",
  params: { agent: ChosenId },
  query: {
    ...pagingQuery,
    startTime: queryTime("Earliest startTime, inclusive, Unix milliseconds."),
    endTime: queryTime("Latest startTime, inclusive, Unix milliseconds."),
  },
  response: { status: 200, schema: ExecutionRecordPage },
  access: { table: "read" },
});

export const getExecutionRecord = route({
  operation: "get-execution-record",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/execution-records/{executionRecord}",
  summary: "Read one execution with its input, output and error",
  scope: "executions:read",
  params: { agent: ChosenId, executionRecord: Uuid },
  response: { status: 200, schema: ExecutionDetail },
  access: { table: "read", bucket: "read" },
});

import { createDefineRoute } from "../../lib/edge/route.ts";
import { MemoryId, MemoryNamespace, MemoryPage } from "../../lib/memory/schemas.ts";
import { ChosenId } from "../../lib/platform/http/ids.ts";
import { pagingQuery } from "../../lib/platform/http/paging.ts";

const route = createDefineRoute("memories");

export const listMemories = route({
  operation: "list-memories",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/memories",
  summary: "Lists the memories of a namespace, newest first",
  scope: "executions:read",
  params: { agent: ChosenId },
  query: { ...pagingQuery, namespace: MemoryNamespace },
  response: { status: 200, schema: MemoryPage },
  access: { table: "read" },
});

export const deleteMemories = route({
  operation: "delete-memories",
  changes: "Memory",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/agents/{agent}/memories",
  summary: "Deletes all memories of a namespace",
  scope: "agents:execute",
  params: { agent: ChosenId },
  query: { namespace: MemoryNamespace },
  response: { status: 204 },
  problems: ["conflict"],
  access: { table: "write", publishes: ["housekeeping"] },
});

export const deleteMemory = route({
  operation: "delete-memory",
  changes: "Memory",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/agents/{agent}/memories/{memory}",
  summary: "Deletes a memory",
  scope: "agents:execute",
  params: { agent: ChosenId, memory: MemoryId },
  response: { status: 204 },
  access: { table: "write", vectors: "write", publishes: ["housekeeping"] },
});

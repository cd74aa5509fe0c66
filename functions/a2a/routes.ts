import { AgentCard } from "../../lib/a2a/agent-card.ts";
import { ListTasksResponse, listTasksQuery } from "../../lib/a2a/list-schemas.ts";
import { RpcRequest, RpcResponse } from "../../lib/a2a/rpc-schemas.ts";
import {
  A2aTask,
  historyQuery,
  SendMessageRequest,
  SendMessageResponse,
  TaskId,
  versionQuery,
} from "../../lib/a2a/schemas.ts";
import { createDefineRoute } from "../../lib/edge/route.ts";
import { executing } from "../../lib/executions/schemas.ts";
import { ChosenId } from "../../lib/platform/http/ids.ts";

const route = createDefineRoute("a2a");

const { problems, access, slots, readsAgent, maxBodyBytes } = executing;

const read = { scope: "executions:read", starterScope: "agents:execute" } as const;
const http = { protocol: "a2a-http", query: versionQuery } as const;

export const getAgentCard = route({
  operation: "get-agent-card",
  protocol: "a2a-http",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/a2a/.well-known/agent-card.json",
  summary: "Retrieves the card of an agent for A2A clients",
  scope: "agents:read",
  starterScope: "agents:execute",
  params: { agent: ChosenId },
  response: { status: 200, schema: AgentCard },
  problems: ["conflict"],
  access: { table: "read", bucket: "read" },
  readsAgent,
});

export const callA2a = route({
  operation: "call-a2a",
  protocol: "a2a-json-rpc",
  query: versionQuery,
  concurrencyWeight: 2,
  method: "POST",
  path: "/v1/tenants/{tenant}/agents/{agent}/a2a",
  summary: "Calls a method of A2A on an agent by JSON-RPC",
  scope: "agents:execute",
  params: { agent: ChosenId },
  body: RpcRequest,
  maxBodyBytes,
  response: { status: 200, schema: RpcResponse },
  problems,
  access,
  slots,
  readsAgent,
  streaming: { completed: "", failed: "error" },
});

export const sendA2aMessage = route({
  operation: "send-a2a-message",
  ...http,
  method: "POST",
  path: "/v1/tenants/{tenant}/agents/{agent}/a2a/message:send",
  summary: "Sends a message to an agent: starts a task, or decides what a task waits for",
  scope: "agents:execute",
  params: { agent: ChosenId },
  body: SendMessageRequest,
  maxBodyBytes,
  response: { status: 200, schema: SendMessageResponse },
  problems,
  access,
  slots,
  readsAgent,
  streaming: { completed: "", failed: "error" },
});

export const streamA2aMessage = route({
  operation: "stream-a2a-message",
  ...http,
  method: "POST",
  path: "/v1/tenants/{tenant}/agents/{agent}/a2a/message:stream",
  summary: "Sends a message to an agent and streams its task",
  scope: "agents:execute",
  params: { agent: ChosenId },
  body: SendMessageRequest,
  maxBodyBytes,
  response: { status: 200, schema: SendMessageResponse },
  problems,
  access,
  slots,
  readsAgent,
  streaming: { completed: "", failed: "error" },
});

export const listA2aTasks = route({
  operation: "list-a2a-tasks",
  protocol: "a2a-http",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/a2a/tasks",
  summary: "Lists tasks of an agent, latest start first",
  ...read,
  params: { agent: ChosenId },
  query: { ...listTasksQuery, ...versionQuery },
  response: { status: 200, schema: ListTasksResponse },
  access: { table: "read", bucket: "read" },
  readsAgent,
});

export const getA2aTask = route({
  operation: "get-a2a-task",
  protocol: "a2a-http",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/a2a/tasks/{task}",
  summary: "Retrieves a task of an agent",
  ...read,
  params: { agent: ChosenId, task: TaskId },
  query: { ...historyQuery, ...versionQuery },
  response: { status: 200, schema: A2aTask },
  access: { table: "read", bucket: "read" },
});

export const cancelA2aTask = route({
  operation: "cancel-a2a-task",
  ...http,
  changes: "Execution",
  method: "POST",
  path: "/v1/tenants/{tenant}/agents/{agent}/a2a/tasks/{task}:cancel",
  summary: "Cancels a task that has not ended",
  scope: "agents:execute",
  params: { agent: ChosenId, task: TaskId },
  response: { status: 200, schema: A2aTask },
  access: { table: "write", publishes: ["executions", "schedules"] },
});

/** The protocol's text has POST, its definition in protocol buffers GET: clients send either. */
const subscription = {
  ...http,
  ...read,
  role: "Viewer",
  path: "/v1/tenants/{tenant}/agents/{agent}/a2a/tasks/{task}:subscribe",
  params: { agent: ChosenId, task: TaskId },
  response: { status: 200, schema: SendMessageResponse },
  slots: "call",
  withoutSlot: "Read the task instead",
  concurrencyWeight: 1.5,
  timeoutSeconds: 150,
  streaming: { completed: "", failed: "error" },
} as const;

export const subscribeToA2aTask = route({
  operation: "subscribe-to-a2a-task",
  ...subscription,
  method: "POST",
  summary: "Streams a task that has not ended",
  access: { table: "write", bucket: "read" },
});

export const followA2aTask = route({
  operation: "follow-a2a-task",
  ...subscription,
  method: "GET",
  summary: "Streams a task that has not ended, for clients that subscribe by GET",
  access: { table: "read", bucket: "read" },
});

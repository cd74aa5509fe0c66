import * as z from "zod";
import { otherCode, toRpcError } from "../edge/a2a-error.ts";
import type { ExecutionDeps } from "../executions/job/job.ts";
import { releaseKey } from "../platform/http/call-context.ts";
import { Problem, slotsTaken, validationFailed } from "../platform/http/problems.ts";
import { toIssuePointer, zodErrorMap } from "../platform/http/zod-error-map.ts";
import { withSlot } from "../platform/slots/with-slot.ts";
import { withAudit } from "../tenancy/audit/with-audit.ts";
import { cancelTask } from "./cancel-task.ts";
import { ListTasksParams } from "./list-schemas.ts";
import { listTasks } from "./list-tasks.ts";
import { a2aProblem, noPush } from "./problems.ts";
import { findTask, readTask } from "./read-task.ts";
import type { RpcRequest, RpcResponse } from "./rpc-schemas.ts";
import type { MessageContext } from "./run-message.ts";
import { SendMessageRequest, type StreamResponse } from "./schemas.ts";
import { sendMessage } from "./send-message.ts";
import { streamMessage } from "./stream-message.ts";
import { subscribeToTask } from "./subscribe-to-task.ts";

type Call = {
  ctx: MessageContext;
  agentId: string;
  params: Readonly<Record<string, unknown>>;
  /** Sends an event of a method that streams. */
  send: (event: StreamResponse) => void;
};

type Method = (deps: ExecutionDeps, call: Call) => Promise<unknown>;

const TaskParams = z.object({
  id: z.string().min(1).max(200),
  historyLength: z.int().min(0).nullish(),
});

/** Reads the parameters of a method. Throws 400 with their pointers. */
const parse = <Schema extends z.ZodType>(
  schema: Schema,
  params: Call["params"],
): z.output<Schema> => {
  const parsed = schema.safeParse(params, { error: zodErrorMap });
  if (parsed.success) return parsed.data;
  throw validationFailed(
    parsed.error.issues
      .slice(0, 50)
      .map(({ path, message }) => ({ pointer: toIssuePointer(path), detail: message })),
  );
};

const refusePush: Method = () => Promise.reject(noPush());

const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  [
    "SendMessage",
    (deps, { ctx, agentId, params }) =>
      sendMessage(deps, { ctx, agentId, request: parse(SendMessageRequest, params) }),
  ],
  [
    "SendStreamingMessage",
    (deps, { ctx, agentId, params, send }) => {
      const sink = { send, hasLeft: () => ctx.events?.hasLeft() ?? false };
      return streamMessage(deps, {
        ctx,
        agentId,
        request: parse(SendMessageRequest, params),
        sink,
      });
    },
  ],
  [
    "GetTask",
    async (deps, { ctx, agentId, params }) => {
      const { id, historyLength } = parse(TaskParams, params);
      const execution = await findTask(deps, { ctx, agentId, id });
      return readTask(deps, { ctx, execution, view: { historyLength } });
    },
  ],
  [
    "ListTasks",
    (deps, { ctx, agentId, params }) =>
      listTasks(deps, { ctx, agentId, params: parse(ListTasksParams, params) }),
  ],
  [
    "CancelTask",
    (deps, { ctx, agentId, params }) => {
      const { id } = parse(TaskParams, params);
      const resource = { type: "Execution", id: `${agentId}/${id}` } as const;
      const db = withAudit(deps.db, ctx, { action: "cancelA2aTask", resource, changes: [] });
      return cancelTask({ ...deps, db }, { ctx, agentId, id });
    },
  ],
  [
    "SubscribeToTask",
    async (deps, { ctx, agentId, params, send }) => {
      const { id } = parse(TaskParams, params);
      const sink = { send, hasLeft: () => ctx.events?.hasLeft() ?? false };
      const task = await withSlot(ctx.takeSlot, () =>
        subscribeToTask(deps, { ctx, agentId, id, sink }),
      );
      if (!task) throw slotsTaken("Read the task instead");
      return { task };
    },
  ],
  ["CreateTaskPushNotificationConfig", refusePush],
  ["GetTaskPushNotificationConfig", refusePush],
  ["ListTaskPushNotificationConfigs", refusePush],
  ["DeleteTaskPushNotificationConfig", refusePush],
  [
    "GetExtendedAgentCard",
    () => Promise.reject(a2aProblem("UNSUPPORTED_OPERATION", "The agent has no extended card.")),
  ],
]);

const streamingMethods: ReadonlySet<string> = new Set(["SendStreamingMessage", "SubscribeToTask"]);

const methodNotFound = -32_601;

/**
 * Calls a method of A2A by JSON-RPC. Errors that JSON-RPC and A2A have a code for are responses with the id of the request, and
 * events of a method that streams; any error after the first event of a stream is the last event. Throws other problems, such as
 * 403 and 429.
 */
export const handleRpc = async (
  deps: ExecutionDeps,
  {
    ctx,
    agentId,
    body: { id, method, params },
  }: { ctx: MessageContext; agentId: string; body: RpcRequest },
): Promise<RpcResponse> => {
  const found = methods.get(method);
  if (!found) {
    const known = [...methods.keys()].join(", ");
    const message = `There is no method ${JSON.stringify(method)}. Methods: ${known}.`;
    ctx.once?.release?.();
    return { jsonrpc: "2.0", id, error: { code: methodNotFound, message, data: [] } };
  }
  const { events } = ctx;
  const send = (result: StreamResponse): void => events?.send("", { jsonrpc: "2.0", id, result });
  try {
    const result = await found(deps, { ctx, agentId, params: params ?? {}, send });
    return { jsonrpc: "2.0", id, result };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const isStreaming = events?.isOpen() ?? false;
    const response = { jsonrpc: "2.0" as const, id, error: toRpcError(error) };
    const isOther = response.error.code === otherCode || error.slug === "internal-error";
    if (isOther && !isStreaming) throw error;
    if (!isStreaming) releaseKey(ctx.once, error);
    // The SDK for Go reads the events of these methods alone.
    if (isStreaming || streamingMethods.has(method)) events?.send("", response);
    return response;
  }
};

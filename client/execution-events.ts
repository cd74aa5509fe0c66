import { unwrapBody, type WharfClient } from "./client.ts";
import { readEvents, type ServerEvent } from "./event-stream.ts";
import type { ExecuteAgentBody, ExecutionResult, Problem, TestDraftBody } from "./openapi.ts";

/** An event of a running execution. */
export type ExecutionEvent =
  | { type: "execution.started"; execution: ExecutionResult }
  | { type: "step.started"; stepId: string; attempt: number }
  | { type: "output.delta"; stepId: string; text: string }
  /** The text of a step so far is void: the step begins again. */
  | { type: "output.reset"; stepId: string }
  | { type: "step.completed"; stepId: string; output: unknown }
  | {
      type: "step.failed";
      stepId: string;
      error: { type: string; detail: string };
      willRetry: boolean;
      /** Whether the flow continues: by an edge with `on: "error"`, or with the value of `onError`. */
      handled: boolean;
    }
  | {
      /**
       * The last event where nothing can run until `until` (Unix milliseconds), or one of `approvals` (ids) is decided: read
       * its record then.
       */
      type: "execution.waiting";
      execution: ExecutionResult;
      approvals: readonly string[];
      until: number;
    }
  | { type: "execution.completed"; execution: ExecutionResult }
  | { type: "execution.failed"; problem: Problem };

/** An execution to start. */
export type StreamedExecution = {
  tenant: string;
  agent: string;
  /** The revision to test; by default the deployed one is executed. */
  testRevision?: number;
  /** A draft to test instead; `body` has its inputs. */
  draft?: Omit<TestDraftBody, "input">;
  body: ExecuteAgentBody;
  signal?: AbortSignal;
};

/**
 * Starts an execution of an agent without events. `prefer` is `respond-async` or `wait=SECONDS`; an
 * execution that continues in the background has no `endTime`.
 */
export const startExecution = async (
  client: WharfClient,
  { tenant, agent, body, signal }: Omit<StreamedExecution, "testRevision" | "draft">,
  prefer?: string,
): Promise<ExecutionResult> => {
  const execution = await unwrapBody(
    client.POST("/v1/tenants/{tenant}/agents/{agent}:execute", {
      params: { path: { tenant, agent }, ...(prefer && { header: { Prefer: prefer } }) },
      headers: { Accept: "application/json" },
      body,
      signal: signal ?? null,
    }),
  );
  if (typeof execution === "string") throw new TypeError("The response is an event stream.");
  return execution;
};

/**
 * Starts an execution and iterates over its events. The last one is `execution.completed`, `execution.failed` or
 * `execution.waiting`; if the stream ends without it, another worker continues the execution: read its record. Throws a
 * ProblemError for a refused start.
 */
export async function* streamExecution(
  client: WharfClient,
  execution: StreamedExecution,
): AsyncGenerator<ExecutionEvent, void, undefined> {
  const stream = await openStream(client, execution);
  for await (const event of readEvents(stream)) {
    const parsed = toExecutionEvent(event);
    if (parsed) yield parsed;
  }
}

const openStream = async (
  client: WharfClient,
  execution: StreamedExecution,
): Promise<ReadableStream<Uint8Array>> => {
  const { data } = await startStream(client, execution);
  if (!data) throw new TypeError("The response has no body.");
  return data;
};

const startStream = (
  client: WharfClient,
  { tenant, agent, testRevision, draft, body, signal }: StreamedExecution,
) => {
  const options = { parseAs: "stream", headers: { Accept: "text/event-stream" }, signal } as const;
  const path = { tenant, agent };
  if (draft) {
    return client.POST("/v1/tenants/{tenant}/agents/{agent}:test-draft", {
      ...options,
      params: { path },
      body: { ...draft, input: body.input ?? {} },
    });
  }
  if (testRevision === undefined) {
    return client.POST("/v1/tenants/{tenant}/agents/{agent}:execute", {
      ...options,
      params: { path },
      body,
    });
  }
  return client.POST("/v1/tenants/{tenant}/agents/{agent}/revisions/{revision}:test", {
    ...options,
    params: { path: { ...path, revision: testRevision } },
    body,
  });
};

/** Converts an event; undefined for one that this version does not know. */
const toExecutionEvent = ({ event, data }: ServerEvent): ExecutionEvent | undefined => {
  const value = JSON.parse(data);
  switch (event) {
    case "execution.started":
    case "execution.completed":
      return { type: event, execution: value };
    case "execution.waiting":
      return { type: event, execution: value, approvals: value.approvals, until: value.until };
    case "execution.failed":
      return { type: event, problem: value };
    case "step.started":
    case "output.delta":
    case "output.reset":
    case "step.completed":
    case "step.failed":
      return { ...value, type: event };
    default:
      return undefined;
  }
};

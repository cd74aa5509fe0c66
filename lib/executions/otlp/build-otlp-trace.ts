import * as z from "zod";
import type { Database } from "../../platform/db/database.ts";
import type { ObjectStore } from "../../platform/db/large-value.ts";
import { type ExportedSpan, formatOtlp, spanKinds } from "../../platform/tracing/otlp.ts";
import type { ExecutionRecord } from "../record/execution-record.ts";
import type { ExecutionKey } from "../record/keys.ts";
import { getExecution } from "../record/store.ts";
import { deriveRootSpanId, deriveSpanId, readParent } from "../record/trace-id.ts";
import { readEnd, readInput } from "../record/values.ts";
import { TraceSpan } from "../schemas.ts";
import { type Content, inputMessages, outputMessages, toSpanAttributes } from "./attributes.ts";

/**
 * Builds the OTLP/HTTP request body of an ended execution from its stored trace, in which secrets are masked; undefined
 * when it was deleted. The spans have the same ids each time.
 */
export const buildOtlpTrace = async (
  storage: { db: Database; objects: ObjectStore },
  { tenantId, agentId, executionId, content }: { content: Content } & ExecutionKey,
): Promise<string | undefined> => {
  const execution = await getExecution(storage.db, tenantId, agentId, executionId);
  if (!execution) return undefined;
  const [end, { input }] = await Promise.all([
    readEnd(storage, execution),
    readInput(storage, execution),
  ]);
  const { item } = execution;
  const error = end?.error ?? null;
  const root = toRootSpan(item, {
    message: content === "none" ? undefined : error?.detail,
    attributes: {
      ...(content === "all" && { "gen_ai.input.messages": inputMessages(input.input) }),
      ...(content !== "none" &&
        end && { "gen_ai.output.messages": outputMessages(end.output, item.status) }),
    },
  });
  const spans = z.array(TraceSpan).parse(end?.trace ?? []);
  const ids = new Set(spans.map(({ id }) => id));
  const below = spans.map((span): ExportedSpan => {
    const { parentId } = span;
    const hasParent = parentId !== null && ids.has(parentId);
    return {
      ...toContext(item),
      spanId: deriveSpanId(item.id, span.id),
      parentSpanId: hasParent ? deriveSpanId(item.id, parentId) : root.spanId,
      startTime: span.startTime,
      endTime: span.endTime,
      ...toSpanAttributes(span, content),
    };
  });
  return formatOtlp({ "wharf.tenant.id": item.tenantId }, [root, ...below]);
};

const sampled = "01";

const toContext = ({ traceId, traceContext }: ExecutionRecord) => ({
  traceId,
  flags: readParent(traceContext)?.flags ?? sampled,
  tracestate: traceContext?.tracestate,
});

const toRootSpan = (
  item: ExecutionRecord,
  { message, attributes }: Pick<ExportedSpan, "attributes"> & { message: string | undefined },
): ExportedSpan => ({
  ...toContext(item),
  spanId: deriveRootSpanId(item.id),
  parentSpanId: readParent(item.traceContext)?.spanId,
  name: `invoke_agent ${item.agentId}`,
  kind: spanKinds.internal,
  startTime: item.startTime,
  endTime: item.endTime ?? item.startTime,
  attributes: {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": item.agentId,
    "gen_ai.agent.version": String(item.agentRevision),
    "gen_ai.usage.input_tokens": item.inputTokens,
    "gen_ai.usage.output_tokens": item.outputTokens,
    "gen_ai.usage.cache_read.input_tokens": item.cachedTokens,
    "gen_ai.usage.reasoning.output_tokens": item.thinkingTokens,
    "error.type": item.errorType,
    "wharf.execution.id": item.id,
    "wharf.execution.status": item.status,
    "wharf.trigger.type": item.trigger.type,
    "wharf.cost.usd": item.totalCost,
    ...attributes,
  },
  failure: isFailed(item) ? { message } : undefined,
});

const isFailed = ({ status }: ExecutionRecord): boolean =>
  status === "Failed" || status === "TimedOut";

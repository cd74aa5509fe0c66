import { type ExportedSpan, type SpanAttributes, spanKinds } from "../../platform/tracing/otlp.ts";
import type { TraceSpan } from "../schemas.ts";

/** Inputs and outputs that are exported. */
export type Content = "none" | "outputs" | "all";

type Described = Pick<ExportedSpan, "name" | "kind" | "attributes">;

/**
 * Returns the name, kind, attributes and failure of a span by the semantic conventions for generative AI
 * (https://github.com/open-telemetry/semantic-conventions-genai). Steps that they do not know have the names of their
 * types.
 */
export const toSpanAttributes = (
  span: TraceSpan,
  content: Content,
): Described & Pick<ExportedSpan, "failure"> => {
  const { name, kind, attributes } = describe(span);
  const { status, error } = span;
  return {
    name,
    kind,
    attributes: {
      ...attributes,
      "wharf.step.id": span.stepId,
      "wharf.step.status": status,
      "error.type": error?.type.split("/").at(-1),
      ...toContent(span, content),
    },
    failure:
      status === "Failed" ? { message: content === "none" ? undefined : error?.detail } : undefined,
  };
};

const describe = (span: TraceSpan): Described => {
  const { internal, client } = spanKinds;
  switch (span.type) {
    case "Model":
      return toOperation("chat", span.modelId, client, {
        "gen_ai.provider.name": span.providerId,
        "gen_ai.request.model": span.modelId,
        "gen_ai.response.model": span.responseModelId,
        "gen_ai.response.finish_reasons":
          span.finishReason === undefined ? undefined : [toFinishReason(span.finishReason)],
        "gen_ai.usage.input_tokens": span.usage?.inputTokens,
        "gen_ai.usage.output_tokens": span.usage?.outputTokens,
        "gen_ai.usage.cache_read.input_tokens": span.usage?.cachedTokens,
        "gen_ai.usage.reasoning.output_tokens": span.usage?.thinkingTokens,
        "wharf.cost.usd": span.cost?.totalCost,
      });
    case "Tool":
      return toOperation("execute_tool", span.tool ?? span.name, internal, {
        "gen_ai.tool.name": span.tool ?? span.name,
      });
    case "SubAgent":
      return toOperation("invoke_agent", span.name, client, { "gen_ai.agent.name": span.name });
    case "Retrieve":
      return toOperation("retrieval", span.name, client, {});
    default:
      return { name: `${span.type} ${span.name}`, kind: internal, attributes: {} };
  }
};

const toOperation = (
  operation: string,
  subject: string | null,
  kind: ExportedSpan["kind"],
  attributes: SpanAttributes,
): Described => ({
  name: subject === null ? operation : `${operation} ${subject}`,
  kind,
  attributes: { "gen_ai.operation.name": operation, ...attributes },
});

const toContent = (
  { type, input, output, status, finishReason }: TraceSpan,
  content: Content,
): SpanAttributes => {
  const isModel = type === "Model";
  const names = isModel
    ? { input: "gen_ai.input.messages", output: "gen_ai.output.messages" }
    : type === "Tool"
      ? { input: "gen_ai.tool.call.arguments", output: "gen_ai.tool.call.result" }
      : { input: "wharf.step.input", output: "wharf.step.output" };
  return {
    ...(content === "all" && {
      [names.input]: isModel ? inputMessages(input) : JSON.stringify(input),
    }),
    ...(content !== "none" && {
      [names.output]: isModel
        ? outputMessages(output, status, finishReason)
        : JSON.stringify(output),
    }),
  };
};

const toText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value ?? null);

/** Formats an input as messages. */
export const inputMessages = (value: unknown): string =>
  JSON.stringify([{ role: "user", parts: [{ type: "text", content: toText(value) }] }]);

/** Reasons with another name in the semantic conventions. */
const conventionalReasons: Readonly<Record<string, string>> = {
  "content-filter": "content_filter",
  "tool-calls": "tool_call",
};

const toFinishReason = (reason: string): string => conventionalReasons[reason] ?? reason;

/** Formats an output as messages; without a reason, that of the status. */
export const outputMessages = (value: unknown, status: string, reason?: string): string =>
  JSON.stringify([
    {
      role: "assistant",
      parts: [{ type: "text", content: toText(value) }],
      finish_reason: toFinishReason(reason ?? (status === "Succeeded" ? "stop" : "error")),
    },
  ]);

import { isRecord } from "../flow-graph/members.ts";
import { findStored, type StoredValue } from "../shared/files/stored-value.ts";
import type { Span, SpanTree } from "./spans.ts";

/** A part of what a Prompt and its model exchanged. */
export type SpanEntry =
  | {
      kind: "system" | "user" | "agent";
      key: string;
      text: string;
      files?: readonly StoredValue[];
    }
  | { kind: "call"; key: string; name: string; sent: unknown; span: Span | undefined };

/** Spans inside a Prompt that are no calls of its model. */
const silent: readonly string[] = ["Model", "Guardrail"];

/** Returns the messages, and the calls of tools with their spans, of a Prompt; none for other spans. */
export const toSpanConversation = (tree: SpanTree, span: Span): SpanEntry[] => {
  const { id, type, input } = span;
  if (type !== "Prompt" || !isRecord(input)) return [];
  const { system, prompt } = input;
  const files = findStored(input.files);
  const asked = [
    ["system", system],
    ["user", prompt],
  ] as const;
  const entries: SpanEntry[] = asked.flatMap(([kind, text]) =>
    typeof text === "string" && text !== ""
      ? [
          {
            ...{ kind, key: `${id} ${kind}`, text },
            ...(kind === "user" && files.length > 0 && { files }),
          },
        ]
      : [],
  );
  /** Calls that the model asked for, and that have no span yet. */
  let open: readonly Call[] = [];
  for (const child of tree.inside(span)) {
    if (child.type === "Model") {
      entries.push(...open.map(toOpenEntry(child.id)));
      const { text, calls } = readResponse(child.output);
      if (text !== "") entries.push({ kind: "agent", key: child.id, text });
      open = calls;
    } else if (!silent.includes(child.type)) {
      open = open.toSpliced(0, 1);
      const { id: key, name, tool } = child;
      entries.push({ kind: "call", key, name: tool ?? name, sent: child.input, span: child });
    }
  }
  return [...entries, ...open.map(toOpenEntry(`${id} end`))];
};

type Call = { name: string; sent: unknown };

/** A call without a span was refused, or waits. */
const toOpenEntry =
  (place: string) =>
  ({ name, sent }: Call, at: number): SpanEntry => ({
    kind: "call",
    key: `${place} ${at}`,
    name,
    sent,
    span: undefined,
  });

const readResponse = (output: unknown): { text: string; calls: readonly Call[] } => {
  if (!isRecord(output)) return { text: "", calls: [] };
  const { text, toolCalls } = output;
  const calls = Array.isArray(toolCalls) ? toolCalls.filter(isRecord) : [];
  return {
    text: typeof text === "string" ? text : "",
    calls: calls.map(({ name, arguments: sent }) => ({ name: String(name), sent })),
  };
};

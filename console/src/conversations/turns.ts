import type { SessionMessage } from "../../../client/openapi.ts";
import type { StoredValue } from "../shared/files/stored-value.ts";

/** A call of a tool in a turn, with its result where there is one. */
type ToolCall = {
  kind: "call";
  name: string;
  arguments: unknown;
  result?: { output: unknown; isError: boolean };
};

/** A part of a turn that is shown: a text of the user or the agent, or a call of a tool. */
export type TurnEntry =
  | { kind: "user" | "agent"; text: string; files?: readonly StoredValue[] }
  | ToolCall;

/** A turn of a session, or the summary of earlier ones, which has no execution. */
export type Turn = {
  executionId: string | null;
  /** When it ended, Unix milliseconds. */
  endedAt: number | null;
  entries: readonly TurnEntry[];
};

/** Groups the messages of a session, oldest first, by turn. */
export const toTurns = (messages: readonly SessionMessage[]): Turn[] => {
  const turns: { executionId: string | null; messages: SessionMessage[] }[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (last?.executionId === message.executionId) last.messages.push(message);
    else turns.push({ executionId: message.executionId, messages: [message] });
  }
  return turns.map(({ executionId, messages: ofTurn }) => ({
    executionId,
    endedAt: ofTurn[0]?.createdAt ?? null,
    entries: toEntries(ofTurn),
  }));
};

/** Groups messages by turn, without the first turn if earlier messages may belong to it. A turn alone is shown in any case. */
export const toWholeTurns = (messages: readonly SessionMessage[], hasEarlier: boolean): Turn[] => {
  const turns = toTurns(messages);
  return hasEarlier && turns.length > 1 ? turns.slice(1) : turns;
};

/** Returns what is shown of the messages of a turn; a result of a tool is part of its call. */
const toEntries = (messages: readonly SessionMessage[]): TurnEntry[] => {
  const entries: TurnEntry[] = [];
  let open: { id: string; call: ToolCall }[] = [];
  for (const message of messages) {
    const { role, text, files, toolCalls, results } = message;
    if (role !== "tool" && (text || files.length > 0)) {
      const kind = role === "user" ? "user" : "agent";
      entries.push({ kind, text: text ?? "", ...(files.length > 0 && { files }) });
    }
    if (role === "assistant") {
      open = toolCalls.map(({ id, name, arguments: sent }) => ({
        id,
        call: { kind: "call", name, arguments: sent },
      }));
      entries.push(...open.map(({ call }) => call));
    }
    for (const { id, name, output, isError } of results) {
      const at = open.findIndex((candidate) => candidate.id === id);
      const [found] = at < 0 ? [] : open.splice(at, 1);
      if (found) found.call.result = { output, isError };
      else entries.push({ kind: "call", name, arguments: null, result: { output, isError } });
    }
  }
  return entries;
};

/** Dollars; not `priced` if a part of them has no price. */
type Cost = { totalCost: number; priced: boolean };

/** Sums the cost of executions. */
export const sumCosts = (costs: Iterable<Cost>): Cost => {
  const sum = { totalCost: 0, priced: true };
  for (const { totalCost, priced } of costs) {
    sum.totalCost += totalCost;
    sum.priced &&= priced;
  }
  return sum;
};

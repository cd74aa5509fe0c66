import * as z from "zod";
import type { FlowError, Span } from "../../engine/flow/flow-result.ts";
import { dollars } from "../../engine/models/sums.ts";
import { finalSlugs, repeatableSlugs } from "../../engine/step-error.ts";
import { problemRegistry } from "../../platform/http/problem-registry.ts";
import { Problem } from "../../platform/http/problems.ts";
import { problemType } from "../../platform/http/public-address.ts";
import type { Json } from "../../values/json/json.ts";
import {
  type ExecutionError,
  type ExecutionResult,
  finalStatuses,
  type StoredSpan,
} from "../schemas.ts";
import type { ExecutionRecord, StoredExecution, StoredOutcome } from "./execution-record.ts";
import { readEnd, type Storage } from "./values.ts";

/** Cost of an execution with its sub-agents, US dollars; not `priced` if one of them called a model without a price. */
export type TreeCost = { readonly cost: number; readonly priced: boolean };

/** No cost. */
export const noTreeCost: TreeCost = { cost: 0, priced: true };

/** Adds two costs. */
export const addTreeCosts = (one: TreeCost, other: TreeCost): TreeCost => ({
  cost: dollars(one.cost + other.cost),
  priced: one.priced && other.priced,
});

/** Members of a record that hold its cost with its sub-agents. */
type TreeMembers = Pick<ExecutionRecord, "totalCostWithSubAgents" | "pricedWithSubAgents">;

/** Reads the cost of an execution with its sub-agents. */
export const readTreeCost = ({
  totalCostWithSubAgents: cost,
  pricedWithSubAgents: priced,
}: TreeMembers): TreeCost => ({ cost, priced });

/** Builds the members of an execution's record from its own cost and that of its sub-agents. */
export const toTreeMembers = (own: TreeCost, ofSubAgents: TreeCost): TreeMembers => {
  const { cost, priced } = addTreeCosts(own, ofSubAgents);
  return { totalCostWithSubAgents: cost, pricedWithSubAgents: priced };
};

const maxDetailLength = 4_000;

/** Truncates an error detail, which may quote what a user or a server sent. */
const cut = (detail: string): string =>
  detail.length <= maxDetailLength ? detail : `${takeStart(detail, maxDetailLength - 1)}…`;

/** Maps an error to the form on an execution's record. */
const toExecutionError = (error: FlowError): ExecutionError => ({
  type: problemType(error.slug),
  title: problemRegistry[error.slug].title,
  status: problemRegistry[error.slug].status,
  detail: cut(error.detail),
  step: error.step,
  upstream: error.upstream ?? null,
  upstreamStatus: error.upstreamStatus ?? null,
  ...(error.blocked && { guardrail: error.blocked.guardrail, check: error.blocked.check }),
});

/** Maps the error of an execution to the problem that its caller receives. */
export const toExecutionProblem = (
  { slug, detail, step, upstream, upstreamStatus, blocked, cause }: FlowError,
  executionId: string,
): Problem =>
  new Problem(slug, cut(detail), {
    members: {
      executionId,
      step,
      ...(slug.startsWith("upstream-") && { upstream, upstreamStatus }),
      ...blocked,
    },
    cause,
  });

/** Maps a span to its stored form, which `TraceSpan` reads. */
export const toTraceSpan = ({ error, ...span }: Span): StoredSpan => ({
  ...span,
  error: error && {
    type: problemType(error.slug),
    detail: cut(error.detail),
    upstreamStatus: error.upstreamStatus ?? null,
  },
});

/** Builds the response for an execution without an available output. */
export const toExecutionResult = (item: ExecutionRecord): ExecutionResult => ({
  executionId: item.id,
  agentId: item.agentId,
  agentRevision: item.agentRevision,
  status: item.status,
  output: null,
  citations: [],
  usage: {
    inputTokens: item.inputTokens,
    outputTokens: item.outputTokens,
    cachedTokens: item.cachedTokens,
    thinkingTokens: item.thinkingTokens,
  },
  cost: {
    inputCost: item.inputCost,
    outputCost: item.outputCost,
    cachedCost: item.cachedCost,
    thinkingCost: item.thinkingCost,
    totalCost: item.totalCost,
  },
  priced: item.priced,
  session: item.session,
  startTime: item.startTime,
  endTime: item.endTime,
});

/** Result of an execution: its record with output, error and trace, in which secrets are masked. */
export type RunOutcome = {
  item: ExecutionRecord;
  output: Json;
  /** Null when it succeeded or was cancelled. */
  error: FlowError | null;
  /** As `TraceSpan`. */
  trace: readonly unknown[];
};

/** Maps an outcome to its stored form, next to the record. */
export const toStoredOutcome = ({ output, error, trace }: RunOutcome): StoredOutcome => ({
  output,
  error: error && toExecutionError(error),
  trace: [...trace],
});

const Slug = z.enum([...repeatableSlugs, ...finalSlugs]);

/** Reads the outcome of an execution; undefined while it has not ended. */
export const readOutcome = async (
  storage: Storage,
  execution: StoredExecution,
): Promise<RunOutcome | undefined> => {
  const { item } = execution;
  if (!finalStatuses.has(item.status)) return undefined;
  const end = await readEnd(storage, execution);
  return {
    item,
    output: end?.output ?? null,
    error: end?.error ? toFlowError(end.error) : null,
    trace: end?.trace ?? [],
  };
};

const toFlowError = (error: ExecutionError): FlowError => ({
  slug: Slug.parse(error.type.split("/").at(-1)),
  detail: error.detail,
  step: error.step,
  ...(error.upstream !== null && { upstream: error.upstream }),
  ...(error.upstreamStatus !== null && { upstreamStatus: error.upstreamStatus }),
  ...(error.guardrail !== undefined && {
    blocked: { guardrail: error.guardrail, check: error.check ?? "" },
  }),
});

/** Returns the first characters of a text, without half of a surrogate pair. */
const takeStart = (text: string, length: number): string =>
  text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");

/** Characters of an error detail that lists show. */
const listedDetailLength = 200;

/** Builds the members of a record that show its error in lists; null for none. Its secrets are masked before. */
export const toErrorMembers = (
  error: FlowError | null,
): Pick<ExecutionRecord, "errorType" | "errorDetail"> => ({
  errorType: error?.slug ?? null,
  errorDetail: error ? takeStart(error.detail, listedDetailLength) : null,
});

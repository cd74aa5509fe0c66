import { describeFailure } from "../engine/flow/describe-failure.ts";
import type { EmbeddingModel } from "../engine/models/embedding-model.ts";
import { noTokens } from "../engine/models/sums.ts";
import type { ExecutionDeps } from "../executions/job/job.ts";
import type { RememberExecutionMessage } from "../executions/messages.ts";
import { type EndedExecution, readEnded } from "../executions/read/read-execution.ts";
import { findRememberedTurns, type RememberedTurn } from "../executions/read/read-spans.ts";
import { toExecutionKey } from "../executions/record/keys.ts";
import { readEnd } from "../executions/record/values.ts";
import { listPersons } from "../executions/session/persons.ts";
import { createEmbedder, type Embedder } from "../knowledge/document/embedder.ts";
import type { VectorStore } from "../knowledge/index/vector-store.ts";
import { toMonth } from "../platform/db/keys.ts";
import { type TransactionWrite, transact } from "../platform/db/transact.ts";
import { UpstreamError } from "../platform/outgoing/upstream-error.ts";
import { maxAttempts } from "../platform/queue/queues.ts";
import { ProcessorBudget } from "../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../platform/sandbox/processor-limits.ts";
import { budgetLimit, publishThresholds } from "../spending/budget/check-budget.ts";
import { settleSpend } from "../spending/budget/spend-store.ts";
import { countCallsAfterEnd, sumModelCosts } from "../spending/usage/count-other-usage.ts";
import { type ModelUsage, withoutModels } from "../spending/usage/count-usage.ts";
import { isPersonErased } from "./erasure-store.ts";
import { extractFacts } from "./extract-facts.ts";
import { toNamespacePlace } from "./keys.ts";
import { checkSameAgent } from "./store.ts";
import { storeFacts } from "./store-facts.ts";
import { findEmbedding } from "./tenant-embedding.ts";
import { closeTurn, getTurns, putNewTurn, type RememberedTurnItem } from "./turn-store.ts";

/** Dependencies of remembering turns. */
export type RememberDeps = ExecutionDeps & { readonly vectors: VectorStore };

/** Time reserved for writing the facts. */
const finishMs = 60_000;

/** One delivery of a message. `deadline`: when the function times out, Unix milliseconds. */
type Delivery = { readonly deadline: number; readonly attempt: number };

/** An execution with turns to remember. */
type Remembering = Delivery & { readonly found: EndedExecution; readonly signal: AbortSignal };

/**
 * Adds what is worth keeping of a succeeded execution's turns to their namespaces, once, and counts the calls of models. Does
 * nothing for an execution that did not succeed or was deleted, or a person who was deleted since it began. Waits a little for the end; rejects when there is none, and
 * when a model fails, except in the last attempt.
 */
export const rememberExecution = async (
  deps: RememberDeps,
  { message, ...delivery }: { message: RememberExecutionMessage } & Delivery,
): Promise<void> => {
  const found = await readEnded(deps, message);
  if (found?.execution.item.status !== "Succeeded") return;
  const key = toExecutionKey(found.execution.item);
  if (await isPersonErased(deps.db, { ...key, persons: listPersons(found.execution.item) })) return;
  const end = await readEnd(deps, found.execution);
  const turns = findRememberedTurns(end?.trace ?? []);
  const left = delivery.deadline - finishMs - deps.runtime.clock();
  const remembering = { ...delivery, found, signal: AbortSignal.timeout(Math.max(1, left)) };
  const known = await getTurns(
    deps.db,
    key,
    turns.map(({ spanId }) => spanId),
  );
  for (const [at, turn] of turns.entries()) {
    const asked = known[at] ?? (await askModel(deps, remembering, turn));
    if (asked && !asked.stored) await store(deps, remembering, turn, asked);
  }
  await publishSpend(deps, found);
};

/** Asks the model of a turn, and records its answer with its cost; undefined when the agent is deleted. */
const askModel = async (
  deps: RememberDeps,
  { found, signal, attempt }: Remembering,
  turn: RememberedTurn,
): Promise<RememberedTurnItem | undefined> => {
  const { db, runtime } = deps;
  const { agent, execution } = found;
  const key = toExecutionKey(execution.item);
  const { tenantId } = key;
  const startTime = runtime.clock();
  const extracted = await extractFacts({ models: deps.modelsFor(tenantId) }, turn, {
    limit: budgetLimit({ ...deps, clock: runtime.clock }, { tenantId, agent }),
    processor: new ProcessorBudget(tenantId, processorLimits.requestMs),
    signal,
  }).catch((error: unknown) => {
    if (!(error instanceof UpstreamError) || attempt < maxAttempts) throw error;
    const { detail } = describeFailure(error, null);
    return { facts: [], error: detail, usage: null, cost: null, priced: null };
  });
  const { spanId, providerId, modelId } = turn;
  const item: RememberedTurnItem = {
    ...extracted,
    facts: [...extracted.facts],
    spanId,
    startTime,
    endTime: runtime.clock(),
    ...(extracted.facts.length === 0 && { stored: [] }),
  };
  const { usage: tokens, cost, priced } = extracted;
  const used =
    tokens && cost ? [{ providerId, modelId, tokens, cost, priced: priced === true }] : [];
  const ttl = execution.traceTtl ?? execution.ttl;
  for (const models of [used, withoutModels({ models: used }).models]) {
    const writes = [putNewTurn(key, item, ttl), checkSameAgent(key, agent.createdAt)];
    const written = await transact(db, [...writes, ...countWrites(found, models)]);
    if (written.written) return item;
    if (written.failed[1]) return undefined;
    if (!written.failed[0]) continue;
    await transact(db, countWrites(found, withoutModels({ models }).models));
    return (await getTurns(db, key, [spanId]))[0];
  }
  throw new Error(`the turn ${spanId} of the execution ${key.executionId} was not recorded`);
};

const store = async (
  deps: RememberDeps,
  { found, signal, attempt }: Remembering,
  turn: RememberedTurn,
  asked: RememberedTurnItem,
): Promise<void> => {
  const { agent, execution } = found;
  const key = toExecutionKey(execution.item);
  const { tenantId, agentId } = key;
  const { spanId, namespace } = turn;
  const embedders: Embedder[] = [];
  const openEmbedder = async (embedding: EmbeddingModel) => {
    const embedder = await createEmbedder(deps, { tenantId, embedding, signal });
    embedders.push(embedder);
    return embedder;
  };
  let models: readonly ModelUsage[] | undefined;
  try {
    const outcome = await storeFacts(deps, {
      place: toNamespacePlace(tenantId, agentId, namespace),
      namespace,
      execution: {
        id: key.executionId,
        agentCreatedAt: agent.createdAt,
        persons: listPersons(execution.item),
      },
      spanId,
      saidAt: turn.startTime,
      takenAt: asked.endTime,
      texts: asked.facts,
      embedding: await findEmbedding(deps.db, tenantId, deps.runtime.clock()),
      createEmbedder: openEmbedder,
      buildWrites: (items, isRepeated) => {
        models ??= embedders.flatMap(takeUsage);
        const stored = items.map(({ id, text }) => ({ id, text }));
        const counted = isRepeated ? withoutModels({ models }).models : models;
        return [
          closeTurn(key, spanId, { stored, error: asked.error }),
          ...countWrites(found, counted),
        ];
      },
    });
    if (outcome !== "erased") return;
    await close(
      deps,
      found,
      turn,
      "The memories of the namespace, or of the person, were deleted meanwhile.",
    );
  } catch (error) {
    if (!(error instanceof UpstreamError) || attempt < maxAttempts) throw error;
    await close(deps, found, turn, describeFailure(error, null).detail);
  }
};

/** Records why nothing was added. */
const close = async (
  { db }: RememberDeps,
  { agent, execution }: EndedExecution,
  { spanId }: RememberedTurn,
  error: string,
): Promise<void> => {
  const key = toExecutionKey(execution.item);
  await transact(db, [
    closeTurn(key, spanId, { stored: [], error }),
    checkSameAgent(key, agent.createdAt),
  ]);
};

const takeUsage = (embedder: Embedder): ModelUsage[] => {
  const { providerId, model, tokens, cost, priced } = embedder.takeUsage();
  if (tokens === 0 && cost === 0) return [];
  return [
    {
      providerId,
      modelId: model,
      tokens: { ...noTokens, inputTokens: tokens },
      cost: { inputCost: cost, outputCost: 0, cachedCost: 0, thinkingCost: 0, totalCost: cost },
      priced,
    },
  ];
};

/** Builds the writes that count calls of models, by the time of the execution as its own calls. */
const countWrites = (
  { agent, execution: { item } }: EndedExecution,
  models: readonly ModelUsage[],
): TransactionWrite[] => {
  if (models.length === 0) return [];
  const { tenantId } = toExecutionKey(item);
  const spend = { amount: agent.budget?.amount ?? null, cost: sumModelCosts(models), reserved: 0 };
  const calls = { purpose: "memory", execution: item, models } as const;
  return [countCallsAfterEnd(tenantId, calls), ...settleSpend(tenantId, item, spend)];
};

const publishSpend = async (
  deps: RememberDeps,
  { agent, execution: { item } }: EndedExecution,
): Promise<void> => {
  if (!agent.budget) return;
  const { tenantId } = toExecutionKey(item);
  const month = toMonth(item.startTime);
  await publishThresholds({ ...deps, clock: deps.runtime.clock }, { tenantId, agent, month });
};

import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { EmbeddingModel } from "../engine/models/embedding-model.ts";
import type { Embedder } from "../knowledge/document/embedder.ts";
import { indexName } from "../knowledge/index/index-name.ts";
import type { VectorStore } from "../knowledge/index/vector-store.ts";
import type { Database } from "../platform/db/database.ts";
import { type TransactionWrite, transact } from "../platform/db/transact.ts";
import { newUuid, nthUuid, type Runtime } from "../platform/runtime/runtime.ts";
import { checkNotErased } from "./erasure-store.ts";
import { factKey, type NamespacePlace, readMemoryId, toMemoryId } from "./keys.ts";
import { factDays } from "./limits.ts";
import {
  type MemoryItem,
  type NamespaceItem,
  toFactVectorKey,
  toVectorMetadata,
} from "./memory-item.ts";
import { removeExcess } from "./remove-excess.ts";
import { checkSameAgent, getFacts, getNamespace, putFacts } from "./store.ts";
import { findNear, removeFactVectors } from "./vectors.ts";

const dayMs = 86_400_000;
/** Cosine distance below which two facts are the same. */
const sameDistance = 0.03;
/** Facts of a namespace that one fact is compared to. */
const comparedFacts = 5;
const maxConflicts = 5;

/** Dependencies of adding facts to a namespace. */
export type StoreFactsDeps = {
  readonly db: Database;
  readonly vectors: VectorStore;
  readonly runtime: Runtime;
};

/** Facts of a turn, and what is written with them. */
export type NewFacts = {
  readonly place: NamespacePlace;
  readonly namespace: string;
  readonly execution: {
    readonly id: string;
    readonly agentCreatedAt: number;
    /** Marks of the person of the execution. */
    readonly persons: readonly string[];
  };
  readonly spanId: string;
  /** When the turn began, and when the facts were taken from it. Unix milliseconds. */
  readonly saidAt: number;
  readonly takenAt: number;
  readonly texts: readonly string[];
  /** The model of a namespace without facts. */
  readonly embedding: EmbeddingModel;
  readonly createEmbedder: (embedding: EmbeddingModel) => Promise<Embedder>;
  /** Builds the writes of the same transaction, the first one of which fails when the turn was stored before. */
  readonly buildWrites: (stored: readonly MemoryItem[], isRepeated: boolean) => TransactionWrite[];
};

type Fact = { readonly id: string; readonly uuid: string; readonly text: string };

/**
 * Adds facts to a namespace, without those that it has. First the vectors are written, then the facts, unless the namespace was
 * deleted since the turn began, the person since the execution began, the agent is deleted, or the turn was stored before: then the vectors are removed again.
 */
export const storeFacts = async (
  deps: StoreFactsDeps,
  input: NewFacts,
): Promise<"stored" | "erased" | "repeated"> => {
  const { db } = deps;
  const { place } = input;
  const facts = input.texts.map((text, nth) => toFact(input, text, nth));
  let embedded:
    | { index: string; model: EmbeddingModel; values: readonly (readonly number[])[] }
    | undefined;
  /** Indexes with vectors of attempts before the namespace got another model. */
  const left: string[] = [];
  for (let attempt = 0; attempt < maxConflicts; attempt += 1) {
    const seen = await getNamespace(db, place);
    if (seen?.erasedAt !== undefined && input.saidAt <= seen.erasedAt) {
      await removeUnstored(deps, input, facts);
      return "erased";
    }
    const model = (seen?.hasFacts ? seen.embedding : undefined) ?? input.embedding;
    if (!embedded || !isDeepStrictEqual(embedded.model, model)) {
      const embedder = await input.createEmbedder(model);
      const values = await embedder.embed(facts.map(({ text }) => text));
      if (embedded) left.push(embedded.index);
      embedded = { index: embedder.index, model, values };
    }
    const outcome = await tryStore(deps, input, { seen, facts, ...embedded });
    if (outcome === "conflict") continue;
    const stale = left.filter((index) => index !== embedded?.index);
    await removeFactVectors(
      deps,
      place.agentId,
      stale.flatMap((index) => facts.map(({ id }) => ({ id, index }))),
    );
    if (outcome === "stored") await removeExcess(deps, place);
    else await removeUnstored(deps, input, facts);
    return outcome;
  }
  throw new Error(`the namespace ${place.digest} is changed by too many others`);
};

/** The id of a fact follows from its turn: a repeated message writes the same facts. */
const toFact = (
  { place, spanId, execution, takenAt }: NewFacts,
  text: string,
  nth: number,
): Fact => {
  const hash = createHash("sha256")
    .update(JSON.stringify([execution.id, spanId, nth]))
    .digest();
  const uuid = nthUuid(takenAt, nth, (count) => hash.subarray(0, count));
  return { id: toMemoryId(place, uuid), uuid, text };
};

type Attempt = {
  seen: NamespaceItem | undefined;
  facts: readonly Fact[];
  index: string;
  model: EmbeddingModel;
  values: readonly (readonly number[])[];
};

const tryStore = async (
  deps: StoreFactsDeps,
  input: NewFacts,
  { seen, facts, index, model, values }: Attempt,
): Promise<"stored" | "erased" | "repeated" | "conflict"> => {
  const { db, vectors, runtime } = deps;
  const { place, namespace, execution, takenAt } = input;
  const { persons } = execution;
  const generation = seen?.generation ?? newUuid(runtime);
  const all = facts.map((fact, at) => ({ ...fact, values: values[at] ?? [] }));
  const kept = seen?.hasFacts ? await withoutKnown(deps, { place, generation, index }, all) : all;
  const expiresAt = takenAt + factDays * dayMs;
  const items = kept.map(
    ({ id, uuid, text }): MemoryItem => ({
      ...factKey(place, generation, uuid),
      id,
      namespace,
      text,
      executionId: execution.id,
      ...(persons.length > 0 && { persons: [...persons] }),
      createdAt: takenAt,
      expiresAt,
      index,
    }),
  );
  if (kept.length > 0) {
    const metadata = toVectorMetadata(place, generation);
    await vectors.createIndex(index, kept[0]?.values.length ?? 0);
    await vectors.put(
      index,
      kept.map((fact) => ({
        key: toFactVectorKey(place.agentId, fact.id),
        values: fact.values,
        metadata,
      })),
    );
  }
  const open = { generation, embedding: model, seen };
  const { tenantId, agentId } = place;
  const source = { tenantId, agentId, executionId: execution.id, persons };
  const allowed = [checkSameAgent(place, execution.agentCreatedAt), ...checkNotErased(source)];
  const fixed = [
    ...allowed,
    ...(items.length > 0 ? putFacts(place, open, { facts: items, expiresAt }) : []),
  ];
  for (const isRepeated of [false, true]) {
    const writes = input.buildWrites(items, isRepeated);
    const written = await transact(db, [...fixed, ...writes]);
    if (written.written) return "stored";
    const { failed } = written;
    if (failed.slice(0, allowed.length).includes(true)) return "erased";
    if (failed[fixed.length]) return "repeated";
    if (failed.slice(0, fixed.length).includes(true)) return "conflict";
  }
  return "conflict";
};

/** Leaves out the facts that a namespace has: with the same words, or next to the same vector. */
const withoutKnown = async <New extends Fact & { values: readonly number[] }>(
  { db, vectors }: StoreFactsDeps,
  where: { place: NamespacePlace; generation: string; index: string },
  facts: readonly New[],
): Promise<New[]> => {
  const own = new Set(facts.map(({ id }) => id));
  const kept = await Promise.all(
    facts.map(async (fact) => {
      const near = await findNear({ vectors }, where, { values: fact.values, topK: comparedFacts });
      const others = near.filter(({ memoryId }) => !own.has(memoryId));
      const uuids = others.map(({ memoryId }) => readMemoryId(memoryId)?.uuid ?? "");
      const known = await getFacts(db, where.place, where.generation, uuids);
      const isKnown = known.some((item, at) => {
        const isSame = (others[at]?.distance ?? 1) <= sameDistance;
        return item && (isSame || item.text.toLowerCase() === fact.text.toLowerCase());
      });
      return isKnown ? [] : [fact];
    }),
  );
  return kept.flat();
};

/** Removes the vectors of facts that are not stored: of this attempt, or of an earlier one that ended halfway. */
const removeUnstored = async (
  deps: StoreFactsDeps,
  { place, embedding }: NewFacts,
  facts: readonly Fact[],
): Promise<void> => {
  const seen = await getNamespace(deps.db, place);
  const uuids = facts.map(({ uuid }) => uuid);
  const stored = seen ? await getFacts(deps.db, place, seen.generation, uuids) : [];
  const missing = facts.filter((_, at) => !stored[at]);
  const indexes = [embedding, ...(seen?.embedding ? [seen.embedding] : [])].map((model) =>
    indexName(place.tenantId, model),
  );
  for (const index of new Set(indexes)) {
    await removeFactVectors(
      deps,
      place.agentId,
      missing.map(({ id }) => ({ id, index })),
    );
  }
};

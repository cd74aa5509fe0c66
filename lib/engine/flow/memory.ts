import type { QueryEmbedding } from "./knowledge.ts";

/** A fact that an agent remembers; it may be wrong or out of date. `createdAt`: Unix milliseconds. */
export type MemoryFact = {
  readonly id: string;
  readonly text: string;
  readonly createdAt: number;
};

/** A search in a namespace of an agent's memories. */
export type MemoryQuery = {
  readonly namespace: string;
  readonly text: string;
  readonly topK: number;
  readonly signal: AbortSignal;
};

/** The facts nearest to a text. `failure`: why they could not be read, after a text was embedded. */
export type RecalledFacts = {
  readonly facts: readonly MemoryFact[];
  readonly embeddings: readonly QueryEmbedding[];
  readonly failure?: unknown;
};

/** The memories of an agent. */
export type AgentMemory = {
  /** Rejects when storage or the model fails before a text was embedded. */
  recall(query: MemoryQuery): Promise<RecalledFacts>;
};

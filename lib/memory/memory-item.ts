import * as z from "zod";
import { EmbeddingModel } from "../engine/models/embedding-model.ts";
import { tableAttributes } from "../platform/db/table.ts";
import type { NamespacePlace } from "./keys.ts";
import type { Memory } from "./schemas.ts";

/** A namespace. It has no name: what names a person is in its facts alone, and goes with them. */
export const NamespaceItem = z
  .object({
    /** Changes when the namespace is deleted. */
    generation: z.string(),
    /** The model that embeds its facts, from its first one on. */
    embedding: EmbeddingModel.optional(),
    /** Number of times that facts were added. */
    writes: z.int().default(0),
    /** When it was deleted, Unix milliseconds: turns from before are not remembered. */
    erasedAt: z.int().optional(),
    [tableAttributes.indexPartitionKey]: z.string().optional(),
  })
  .transform(({ [tableAttributes.indexPartitionKey]: due, ...item }) => ({
    ...item,
    /** Whether it may have facts. */
    hasFacts: due !== undefined,
  }));
export type NamespaceItem = z.output<typeof NamespaceItem>;

/** A stored fact. Times in Unix milliseconds. */
export const MemoryItem = z.object({
  pk: z.string(),
  sk: z.string(),
  id: z.string(),
  namespace: z.string(),
  text: z.string(),
  executionId: z.string(),
  /** Marks of the person who wrote it; see `listPersons`. */
  persons: z.array(z.string()).optional(),
  createdAt: z.int(),
  expiresAt: z.int(),
  /** Index with its vector. */
  index: z.string(),
});
export type MemoryItem = z.output<typeof MemoryItem>;

/** Maps a stored fact to its public form. */
export const toMemory = (item: MemoryItem): Memory => ({
  id: item.id,
  namespace: item.namespace,
  text: item.text,
  executionId: item.executionId,
  createdAt: item.createdAt,
  expiresAt: item.expiresAt,
});

/** Returns the key of a fact's vector. Indexes of a tenant also have vectors of documents, under other keys. */
export const toFactVectorKey = (agentId: string, memoryId: string): string =>
  `memory/${agentId}/${memoryId}`;

/** Reads the id of a fact in the key of its vector; undefined for another key. */
export const readFactVectorKey = (key: string): string | undefined =>
  key.startsWith("memory/") ? key.split("/")[2] : undefined;

/** Returns the metadata of a fact's vector, which is also the filter that finds it. */
export const toVectorMetadata = (
  { agentId, digest }: NamespacePlace,
  generation: string,
): { memoryAgent: string; memoryNamespace: string; memoryGeneration: string } => ({
  memoryAgent: agentId,
  memoryNamespace: digest,
  memoryGeneration: generation,
});

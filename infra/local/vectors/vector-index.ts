import { DatabaseSync } from "node:sqlite";
import { getLoadablePath } from "sqlite-vec";
import * as z from "zod";
import { compileFilter, toEntry } from "./metadata-filter.ts";
import { VectorsFault } from "./vectors-fault.ts";

/** Definition of an index. */
export const IndexDefinition = z.object({
  dimension: z.int().min(1).max(4_096),
  distanceMetric: z.enum(["cosine", "euclidean"]),
  nonFilterableMetadataKeys: z.array(z.string()).max(10),
});
export type IndexDefinition = z.output<typeof IndexDefinition>;

const Primitive = z.union([z.string(), z.number(), z.boolean()]);

/** Metadata of a vector. */
export const Metadata = z.record(z.string().min(1), z.union([Primitive, z.array(Primitive)]));
export type Metadata = z.output<typeof Metadata>;

/** A vector to store. */
export type InputVector = { key: string; values: Float32Array; metadata: Metadata };

/** A stored vector; `values` only where they were asked for. */
export type StoredVector = { key: string; values?: number[]; metadata: Metadata };

/** A vector that a query found; the smaller the distance, the more similar. */
export type FoundVector = { key: string; distance: number; metadata: Metadata };

const Row = z.object({
  id: z.int(),
  key: z.string(),
  metadata: z.string().transform((text) => Metadata.parse(JSON.parse(text))),
});
const Found = Row.extend({ distance: z.number() });
const Id = z.object({ id: z.int() });
const Value = z.object({ value: z.instanceof(Uint8Array) });
const Text = z.object({ text: z.string() });

const metrics = { cosine: "cosine", euclidean: "l2" } as const;
/** Vectors that are read together when searching; small, so that a small index is a small file. */
const chunkSize = 256;

const buildSchemaSql = ({ dimension, distanceMetric }: IndexDefinition): string => `
  CREATE TABLE definition (text TEXT NOT NULL);
  CREATE TABLE vector (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, metadata TEXT NOT NULL);
  CREATE TABLE entry (
    name TEXT NOT NULL, kind TEXT NOT NULL, value NOT NULL, id INTEGER NOT NULL,
    PRIMARY KEY (name, kind, value, id)
  ) WITHOUT ROWID;
  CREATE INDEX entry_id ON entry (id);
  CREATE VIRTUAL TABLE embedding USING vec0(
    id INTEGER PRIMARY KEY, value FLOAT[${dimension}] distance_metric=${metrics[distanceMetric]}, chunk_size=${chunkSize}
  );
`;

/** A vector index in a file of its own: exact search by sqlite-vec. Writes survive a crash of the process. */
export type VectorIndex = {
  definition: IndexDefinition;
  /** Stores vectors, all or none; a vector with the same key is replaced. */
  put: (vectors: readonly InputVector[]) => void;
  /** Removes vectors; ignores keys that do not exist. */
  remove: (keys: readonly string[]) => void;
  /** Returns the vectors that exist, in the order of the keys. */
  get: (keys: readonly string[], options: { values: boolean }) => StoredVector[];
  /** Lists vectors in the order of their keys, from behind `after`. */
  list: (after: string, most: number, options: { values: boolean }) => StoredVector[];
  /** Finds the most similar vectors that a metadata filter accepts, the best first. */
  query: (values: Float32Array, topK: number, filter?: unknown) => FoundVector[];
  close: () => void;
};

/** Opens the index in `file`, which is created with `definition` where that is given. */
export const openVectorIndex = (file: string, created?: IndexDefinition): VectorIndex => {
  const database = openDatabase(file, created);
  const row = Text.parse(database.prepare("SELECT text FROM definition").get());
  const definition = IndexDefinition.parse(JSON.parse(row.text));
  const unfilterable = new Set(definition.nonFilterableMetadataKeys);

  const toStored = (found: unknown, options: { values: boolean }): StoredVector => {
    const { id, key, metadata } = Row.parse(found);
    if (!options.values) return { key, metadata };
    const value = database.prepare("SELECT value FROM embedding WHERE id = ?").get(id);
    const bytes = Value.parse(value).value;
    return { key, metadata, values: [...new Float32Array(bytes.slice().buffer)] };
  };

  const remove = (key: string): void => {
    const found = database.prepare("SELECT id FROM vector WHERE key = ?").get(key);
    if (!found) return;
    const { id } = Id.parse(found);
    for (const table of ["vector", "entry", "embedding"]) {
      database.prepare(`DELETE FROM ${table} WHERE id = ?`).run(id);
    }
  };

  const insert = ({ key, values, metadata }: InputVector): void => {
    const { lastInsertRowid: id } = database
      .prepare("INSERT INTO vector (key, metadata) VALUES (?, ?)")
      .run(key, JSON.stringify(metadata));
    database.prepare("INSERT INTO embedding (id, value) VALUES (?, ?)").run(BigInt(id), values);
    const enter = database.prepare(
      "INSERT OR IGNORE INTO entry (name, kind, value, id) VALUES (?, ?, ?, ?)",
    );
    for (const [name, value] of Object.entries(metadata)) {
      if (unfilterable.has(name)) continue;
      for (const item of Array.isArray(value) ? value : [value]) {
        enter.run(name, ...toEntry(item), id);
      }
    }
  };

  return {
    definition,
    put: (vectors) =>
      inTransaction(database, () => {
        for (const vector of vectors) {
          remove(vector.key);
          insert(vector);
        }
      }),
    remove: (keys) =>
      inTransaction(database, () => {
        for (const key of keys) remove(key);
      }),
    get: (keys, options) => {
      const find = database.prepare("SELECT id, key, metadata FROM vector WHERE key = ?");
      return keys.flatMap((key) => {
        const found = find.get(key);
        return found ? [toStored(found, options)] : [];
      });
    },
    list: (after, most, options) =>
      database
        .prepare("SELECT id, key, metadata FROM vector WHERE key > ? ORDER BY key LIMIT ?")
        .all(after, most)
        .map((found) => toStored(found, options)),
    query: (values, topK, filter) => {
      const condition = filter === undefined ? undefined : compileFilter(filter, unfilterable);
      const within = condition ? `AND id IN (SELECT id FROM vector WHERE ${condition.sql})` : "";
      return database
        .prepare(
          `SELECT vector.id, vector.key, vector.metadata, found.distance
           FROM (SELECT id, distance FROM embedding WHERE value MATCH ? AND k = ? ${within}) AS found
           JOIN vector ON vector.id = found.id ORDER BY found.distance, vector.id`,
        )
        .all(values, topK, ...(condition?.values ?? []))
        .map((found) => {
          const { key, distance, metadata } = Found.parse(found);
          return { key, distance, metadata };
        });
    },
    close: () => database.close(),
  };
};

const openDatabase = (file: string, created: IndexDefinition | undefined): DatabaseSync => {
  const database = new DatabaseSync(file, { allowExtension: true });
  database.loadExtension(getLoadablePath());
  database.enableLoadExtension(false);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  if (created) {
    inTransaction(database, () => {
      database.exec(buildSchemaSql(created));
      database.prepare("INSERT INTO definition (text) VALUES (?)").run(JSON.stringify(created));
    });
  }
  return database;
};

const inTransaction = (database: DatabaseSync, work: () => void): void => {
  database.exec("BEGIN IMMEDIATE");
  try {
    work();
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
};

/** Checks a vector against an index: dimension, finite values, and for cosine not all zero. */
export const checkValues = (
  values: readonly number[],
  { dimension, distanceMetric }: IndexDefinition,
): Float32Array => {
  if (values.length !== dimension) {
    throw new VectorsFault(
      "ValidationException",
      `Query and input vectors must have the index's dimension of ${dimension}`,
    );
  }
  const array = Float32Array.from(values);
  if (!array.every(Number.isFinite)) {
    throw new VectorsFault("ValidationException", "Vectors must be finite");
  }
  if (distanceMetric === "cosine" && array.every((value) => value === 0)) {
    throw new VectorsFault("ValidationException", "A vector may not be all zero with cosine");
  }
  return array;
};

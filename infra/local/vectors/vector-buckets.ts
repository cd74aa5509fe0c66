import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type IndexDefinition, openVectorIndex, type VectorIndex } from "./vector-index.ts";
import { VectorsFault } from "./vectors-fault.ts";

/** The vector buckets of the template, with their indexes. Methods throw a VectorsFault. */
export type VectorBuckets = {
  createIndex: (bucket: string, index: string, definition: IndexDefinition) => void;
  deleteIndex: (bucket: string, index: string) => void;
  index: (bucket: string, index: string) => VectorIndex;
  close: () => void;
};

/** Creates the buckets in a directory: a folder per bucket, a file per index, opened on first use. */
export const createVectorBuckets = (directory: string, names: readonly string[]): VectorBuckets => {
  const opened = new Map<string, VectorIndex>();

  const resolveBucketFolder = (bucket: string): string => {
    if (names.includes(bucket)) return join(directory, bucket);
    throw new VectorsFault("NotFoundException", "The specified vector bucket could not be found");
  };
  const resolveIndexFile = (bucket: string, index: string): string =>
    join(resolveBucketFolder(bucket), `${index}.db`);

  return {
    createIndex: (bucket, index, definition) => {
      const file = resolveIndexFile(bucket, index);
      if (existsSync(file)) {
        throw new VectorsFault("ConflictException", "An index with the specified name exists");
      }
      mkdirSync(resolveBucketFolder(bucket), { recursive: true });
      // Under another name first: a crash in between leaves no index without a definition.
      const unfinished = `${file}.new`;
      rmSync(unfinished, { force: true });
      openVectorIndex(unfinished, definition).close();
      renameSync(unfinished, file);
    },
    deleteIndex: (bucket, index) => {
      const file = resolveIndexFile(bucket, index);
      opened.get(file)?.close();
      opened.delete(file);
      for (const ending of ["", "-wal", "-shm"]) rmSync(`${file}${ending}`, { force: true });
    },
    index: (bucket, index) => {
      const file = resolveIndexFile(bucket, index);
      const open = opened.get(file);
      if (open) return open;
      if (!existsSync(file)) {
        throw new VectorsFault("NotFoundException", "The specified index could not be found");
      }
      const vectors = openVectorIndex(file);
      opened.set(file, vectors);
      return vectors;
    },
    close: () => {
      for (const index of opened.values()) index.close();
      opened.clear();
    },
  };
};

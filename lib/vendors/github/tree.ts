import * as z from "zod";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { fetchJson } from "../shared/source/fetch-json.ts";
import type { SourceContext } from "../source.ts";

const Entry = z.object({
  path: z.string(),
  mode: z.string(),
  type: z.string(),
  sha: z.string(),
  size: z.int().optional(),
});
const Tree = z.object({ tree: z.array(Entry), truncated: z.boolean().default(false) });

/** A file of a repository. `size` in bytes. */
export type RepositoryFile = { path: string; sha: string; size: number };

/** Repository to read trees from. */
export type TreeReading = {
  context: SourceContext;
  /** Such as https://api.github.com/repos/acme/app. */
  url: string;
  headers: Record<string, string>;
};

const symbolicLink = "120000";

/**
 * Yields the files of a tree below a path ("" for all), in the tree's order. Reads a tree that is too large for one
 * response folder by folder (docs.github.com/en/rest/git/trees: 100,000 entries, 7 MB).
 */
export async function* readTree(
  reading: TreeReading,
  ref: string,
  below: string,
): AsyncGenerator<RepositoryFile> {
  yield* walk(reading, ref, { below, folder: "" });
}

type Subtree = { below: string; folder: string };

async function* walk(
  reading: TreeReading,
  ref: string,
  { below, folder }: Subtree,
): AsyncGenerator<RepositoryFile> {
  const whole = await getTree(reading, ref, "?recursive=1");
  if (!whole.truncated) return yield* selectFiles(whole.tree, { below, folder });
  for (const entry of (await getTree(reading, ref, "")).tree) {
    const path = folder + entry.path;
    if (entry.type !== "tree") yield* selectFiles([entry], { below, folder });
    else if (isWithin(path, below) || below.startsWith(`${path}/`)) {
      yield* walk(reading, entry.sha, { below, folder: `${path}/` });
    }
  }
}

const getTree = async (
  { context, url, headers }: TreeReading,
  ref: string,
  query: string,
): Promise<z.output<typeof Tree>> => {
  const address = `${url}/git/trees/${encodeURIComponent(ref)}${query}`;
  try {
    return await fetchJson(context, address, Tree, { headers });
  } catch (error) {
    if (error instanceof UpstreamError && error.upstreamStatus === emptyRepository) {
      return { tree: [], truncated: false };
    }
    throw error;
  }
};

const emptyRepository = 409;

function* selectFiles(
  entries: readonly z.output<typeof Entry>[],
  { below, folder }: Subtree,
): Generator<RepositoryFile> {
  for (const { path, sha, size = 0, type, mode } of entries) {
    if (type !== "blob" || mode === symbolicLink) continue;
    const file = { path: folder + path, sha, size };
    if (isWithin(file.path, below)) yield file;
  }
}

const isWithin = (path: string, below: string): boolean =>
  below === "" || path === below || path.startsWith(`${below}/`);

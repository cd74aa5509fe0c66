import * as z from "zod";
import type { Database } from "./database.ts";
import type { Key } from "./keys.ts";
import { queryIndex } from "./list-page.ts";
import type { ListRequest } from "./list-request.ts";

const Keys = z.object({ pk: z.string(), sk: z.string() });

const keysPerPage = 100;

/**
 * Lists the keys of the items in a partition of the index, 100 at a time. The index is eventually consistent: an
 * item may be missing for a moment, or still be listed.
 */
export async function* listIndex(db: Database, request: ListRequest): AsyncGenerator<Key[]> {
  let after: Record<string, unknown> | undefined;
  do {
    const page = await queryIndex(db, request, { Limit: keysPerPage }, after);
    const keys = (page.Items ?? []).map((item) => Keys.parse(item));
    if (keys.length > 0) yield keys;
    after = page.LastEvaluatedKey;
  } while (after);
}

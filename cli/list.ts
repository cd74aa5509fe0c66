import { iterateItems, type Page, type PageQuery } from "../client/pages.ts";
import type { Io } from "./io.ts";
import { progressOn } from "./progress.ts";

/** Returns all items of a paged list, or the first `limit`; shows progress with `io`. */
export const listAll = async <Item>(
  readPage: (query: PageQuery) => Promise<Page<Item>>,
  limit = Number.POSITIVE_INFINITY,
  io?: Pick<Io, "stderr">,
): Promise<Item[]> => {
  const items: Item[] = [];
  const progress = io && progressOn(io);
  try {
    for await (const item of iterateItems(readPage, { limit })) {
      if (items.push(item) % 200 === 0) progress?.show(`Reading… ${items.length}`);
    }
  } finally {
    progress?.clear();
  }
  return items;
};

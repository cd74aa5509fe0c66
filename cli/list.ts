import { itemsOf, type Page, type PageQuery } from "../client/pages.ts";

/** Returns all items of a paged list, or the first `limit`. */
export const listAll = async <Item>(
  readPage: (query: PageQuery) => Promise<Page<Item>>,
  limit = Number.POSITIVE_INFINITY,
): Promise<Item[]> => {
  const items: Item[] = [];
  for await (const item of itemsOf(readPage, { limit })) items.push(item);
  return items;
};

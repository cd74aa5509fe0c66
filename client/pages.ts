/** A page of a list. */
export type Page<Item> = { items: Item[]; nextPageToken: string | null };

/** The query of a page: `nextPageToken` of the page before is its `PageToken.Skip`. */
export type PageQuery = { PageSize: number; "PageToken.Skip": number };

const largestPage = 200;

/** Returns the query of a page. */
export const pageQuery = (token: string | null | undefined, size = largestPage): PageQuery => ({
  PageSize: size,
  "PageToken.Skip": Number(token ?? 0),
});

/** Limits of an iteration. */
export type PageLimits = { pageSize?: number; limit?: number };

/**
 * Iterates over the items of a list, at most `limit`, reading a page when its first item is needed. Throws a
 * RangeError for a `nextPageToken` that does not lead on.
 */
export async function* iterateItems<Item>(
  readPage: (query: PageQuery) => Promise<Page<Item>>,
  { pageSize = largestPage, limit = Number.POSITIVE_INFINITY }: PageLimits = {},
): AsyncGenerator<Item, void, undefined> {
  let left = limit;
  let skip = 0;
  while (left > 0) {
    const query = pageQuery(String(skip), Math.min(pageSize, left));
    const { items, nextPageToken } = await readPage(query);
    yield* items.slice(0, left);
    left -= items.length;
    if (nextPageToken === null) return;
    const next = Number(nextPageToken);
    if (!(next > skip)) throw new RangeError("Invalid nextPageToken: the list does not end.");
    skip = next;
  }
}

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

/** Iterates over all items of a list, reading a page when its first item is needed. */
export async function* itemsOf<Item>(
  readPage: (query: PageQuery) => Promise<Page<Item>>,
  size = largestPage,
): AsyncGenerator<Item, void, undefined> {
  let token: string | null = null;
  do {
    const page: Page<Item> = await readPage(pageQuery(token, size));
    yield* page.items;
    token = page.nextPageToken;
  } while (token !== null);
}

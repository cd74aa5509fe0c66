import type { Page, PageRequest } from "./paging.ts";
import { maxResponseBytes, responseBytes } from "./response-size.ts";

/** Cuts a page to the maximum response size; the next page starts after the cut. */
export const cutPage = <Item>(
  page: Page<Item>,
  { skip }: Pick<PageRequest, "skip">,
): Page<Item> => {
  let bytes = 0;
  const items: Item[] = [];
  for (const item of page.items) {
    bytes += responseBytes(item);
    if (bytes > maxResponseBytes && items.length > 0) {
      return { items, nextPageToken: String(skip + items.length) };
    }
    items.push(item);
  }
  return page;
};

import { answerBytes, mostAnswerBytes } from "./answer-size.ts";
import type { Page, PageRequest } from "./paging.ts";

/** Cuts a page to the maximum response size; the next page starts after the cut. */
export const cutPage = <Item>(
  page: Page<Item>,
  { skip }: Pick<PageRequest, "skip">,
): Page<Item> => {
  let bytes = 0;
  const items: Item[] = [];
  for (const item of page.items) {
    bytes += answerBytes(item);
    if (bytes > mostAnswerBytes && items.length > 0) {
      return { items, nextPageToken: String(skip + items.length) };
    }
    items.push(item);
  }
  return page;
};

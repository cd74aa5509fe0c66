import { type Page, type PageQuery, pageQuery } from "../../../client/pages.ts";

/** Where a page starts: after some items, of those until a time. */
export type Start = PageQuery & { until?: number | undefined };

/** Long lists are read in as few requests as possible. */
const [firstPageSize, nextPageSize] = [100, 200];

/** The start of a list. */
export const firstPage: Start = pageQuery("0", firstPageSize);

/**
 * Returns where the next page starts; null after the last one. After a full page that is the time of its last item,
 * which is read again, so that a deep page costs no more than the first one. After another page, or one of a single
 * time, it is the page's token.
 */
export const nextStart = <Item>(
  { items, nextPageToken }: Page<Item>,
  { until, PageSize }: Start,
  getTime: ((item: Item) => number) | undefined,
): Start | null => {
  if (nextPageToken === null) return null;
  const last = items.at(-1);
  const time = last && items.length === PageSize ? getTime?.(last) : undefined;
  return time === undefined || time === until
    ? { ...pageQuery(nextPageToken, nextPageSize), until }
    : { ...pageQuery("0", nextPageSize), until: time };
};

import * as z from "zod";
import type { ApiClient, Input } from "./api-client.ts";
import type { Endpoint } from "./endpoints.ts";
import { failed } from "./exit.ts";

const largestPage = 200;

const ItemPage = z.object({ items: z.array(z.unknown()), nextPageToken: z.string().nullable() });

/** Returns all items of a paged list, or the first `limit`, as the API returned them. */
export const listAll = async (
  call: ApiClient,
  endpoint: Endpoint,
  { params = {}, query = {} }: Input,
  limit = Number.POSITIVE_INFINITY,
): Promise<unknown[]> => {
  const items: unknown[] = [];
  let skip = 0;
  while (items.length < limit) {
    const size = Math.min(largestPage, limit - items.length);
    const response = await call(endpoint, {
      params,
      query: { ...query, PageSize: String(size), "PageToken.Skip": String(skip) },
    });
    const page = ItemPage.safeParse(response);
    if (!page.success) throw failed("The response is not a page of a list. Check the URL.");
    items.push(...page.data.items);
    if (page.data.nextPageToken === null) break;
    const next = Number(page.data.nextPageToken);
    if (!(next > skip))
      throw failed("The API returned an invalid nextPageToken: the list does not end.");
    skip = next;
  }
  return items.slice(0, limit);
};

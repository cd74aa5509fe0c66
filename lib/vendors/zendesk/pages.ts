import * as z from "zod";
import { parseAddress } from "../../platform/outgoing/parse-address.ts";
import { createPageGuard, fetchJson, invalidResponse } from "../shared/source/fetch-json.ts";
import type { SourceContext } from "../source.ts";

/** Paging members of lists: a cursor and a link, or only a link in older APIs. */
export const Links = {
  meta: z
    .object({ has_more: z.boolean().nullish(), after_cursor: z.string().nullish() })
    .nullish()
    .catch(undefined),
  links: z.object({ next: z.string().nullish() }).nullish().catch(undefined),
  next_page: z.string().nullish().catch(undefined),
};
/** Help center to read. */
export type ZendeskReading = {
  readonly context: SourceContext;
  readonly headers: Readonly<Record<string, string>>;
  readonly origin: string;
};

/**
 * Yields the pages of a list. Throws an UpstreamError when a page repeats or is on another site.
 * See developer.zendesk.com/api-reference/introduction/pagination.
 */
export async function* pages<Shape extends typeof Links>(
  { context, headers, origin }: ZendeskReading,
  first: URL,
  schema: z.ZodObject<Shape>,
): AsyncGenerator<z.output<z.ZodObject<Shape>>> {
  const guard = createPageGuard(first);
  for (let url: URL | undefined = first; url !== undefined; ) {
    guard(url.href);
    const page: z.output<z.ZodObject<Shape>> = await fetchJson(context, url, schema, { headers });
    yield page;
    url = nextUrl(z.object(Links).parse(page), first, origin);
  }
}

/** Returns the next page. A help center with a custom domain links to it; the cursor is used there instead. */
const nextUrl = (
  page: z.output<z.ZodObject<typeof Links>>,
  first: URL,
  origin: string,
): URL | undefined => {
  if (page.meta?.has_more === false) return undefined;
  const link = page.links?.next ?? page.next_page;
  const next = link ? parseAddress(link, first) : undefined;
  if (next?.origin === origin) return next;
  const cursor = page.meta?.after_cursor;
  if (page.meta?.has_more && cursor) {
    const url = new URL(first);
    url.searchParams.set("page[after]", cursor);
    return url;
  }
  if (!link) return undefined;
  throw invalidResponse(first, "continues its list at another address");
};

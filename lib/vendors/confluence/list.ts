import * as z from "zod";
import { parseAddress } from "../../platform/outgoing/parse-address.ts";
import { addressBelow } from "../shared/source/address.ts";
import {
  createPageGuard,
  fetchJson,
  invalidResponse,
  parseItems,
} from "../shared/source/fetch-json.ts";
import type { SourceContext } from "../source.ts";

/** A page of a list. */
export const ListPage = z.object({
  results: z.array(z.unknown()),
  _links: z.object({ next: z.string().nullish() }).nullish().catch(undefined),
});
export type ListPage = z.output<typeof ListPage>;

const pageSize = "25";

/** Site to read. */
export type ConfluenceReading = {
  readonly context: SourceContext;
  readonly headers: Readonly<Record<string, string>>;
  readonly base: string;
  /** The parameter of a `next` link that continues a list: a cursor on Cloud, a position on Data Center. */
  readonly paging: "cursor" | "start";
};

/** Yields the items of a list, page by page. Throws an UpstreamError when a page repeats. */
export async function* listItems<Schema extends z.ZodType>(
  { context, headers, base, paging }: ConfluenceReading,
  path: string,
  query: Readonly<Record<string, string>>,
  schema: Schema,
): AsyncGenerator<z.output<Schema>> {
  const guard = createPageGuard(base);
  for (let at: string | undefined = ""; at !== undefined; ) {
    guard(at);
    const from: Record<string, string> = at === "" ? {} : { [paging]: at };
    const url = addressBelow(base, path, { ...query, limit: pageSize, ...from });
    const page: ListPage = await fetchJson(context, url, ListPage, { headers });
    yield* parseItems(schema, page.results);
    at = readNextPosition(page, url, paging);
  }
}

/** Returns the position of the next page. Only the link's position is used, never its address. */
const readNextPosition = (page: ListPage, url: URL, paging: string): string | undefined => {
  const next = page._links?.next;
  if (!next) return undefined;
  const position = parseAddress(next, url)?.searchParams.get(paging);
  if (!position) throw invalidResponse(url, "sent a link to a next page without a position");
  return position;
};

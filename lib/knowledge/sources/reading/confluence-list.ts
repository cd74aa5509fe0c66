import * as z from "zod";
import { parseAddress } from "../../../platform/outgoing/parse-address.ts";
import type { SourceContext } from "../source.ts";
import { below } from "./address.ts";
import { createPageGuard, known, notUnderstood, readJson } from "./read-json.ts";

/** An answer with a list. */
export const List = z.object({
  results: z.array(z.unknown()),
  _links: z.object({ next: z.string().nullish() }).nullish().catch(undefined),
});
export type List = z.output<typeof List>;

const itemsPerAnswer = "25";

/** How a site is read. */
export type ConfluenceReading = {
  readonly context: SourceContext;
  readonly headers: Readonly<Record<string, string>>;
  readonly base: string;
  /** The member of a `next` link that leads on: Cloud counts by cursor, Data Center by position. */
  readonly paging: "cursor" | "start";
};

/** The items of a list, answer by answer. Throws an UpstreamError when it goes round in circles. */
export async function* list<Schema extends z.ZodType>(
  { context, headers, base, paging }: ConfluenceReading,
  path: string,
  query: Readonly<Record<string, string>>,
  schema: Schema,
): AsyncGenerator<z.output<Schema>> {
  const guard = createPageGuard(base);
  for (let at: string | undefined = ""; at !== undefined; ) {
    guard(at);
    const from: Record<string, string> = at === "" ? {} : { [paging]: at };
    const url = below(base, path, { ...query, limit: itemsPerAnswer, ...from });
    const page: List = await readJson(context, url, List, { headers });
    yield* known(schema, page.results);
    at = nextOf(page, url, paging);
  }
}

/** Where the list goes on. The link's address is not called, only its position is taken. */
function nextOf(page: List, url: URL, paging: string): string | undefined {
  const next = page._links?.next;
  if (!next) return undefined;
  const position = parseAddress(next, url)?.searchParams.get(paging);
  if (!position) throw notUnderstood(url, "says that there is more, and not where");
  return position;
}

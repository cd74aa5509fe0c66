import type * as z from "zod";
import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import type { SourceContext, SourceFetch } from "../source.ts";

/** An answer of a source that is not what its API promises. */
export const notUnderstood = (
  url: string | URL,
  detail = "gave an answer that can't be understood",
) => {
  const { host } = new URL(url);
  return new UpstreamError(`${host} ${detail}.`, { upstream: host });
};

/** Reads a JSON answer. Throws an UpstreamError when the call fails, or when the answer does not fit. */
export async function readJson<Schema extends z.ZodType>(
  context: SourceContext,
  url: string | URL,
  schema: Schema,
  init?: Parameters<SourceFetch>[1],
): Promise<z.output<Schema>> {
  const response = await context.fetch(url, {
    ...init,
    headers: { accept: "application/json", ...init?.headers },
  });
  let value: unknown;
  try {
    value = await response.json();
  } catch (error) {
    if (error instanceof SyntaxError) throw notUnderstood(url);
    throw error;
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw notUnderstood(url);
  return parsed.data;
}

/** Those of the items that fit; what the source may also send is passed over. */
export function known<Schema extends z.ZodType>(
  schema: Schema,
  items: readonly unknown[],
): z.output<Schema>[] {
  return items.flatMap((item) => {
    const parsed = schema.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
}

/** Watches over paging: a page that was there already would be followed by all the others again, for ever. */
export function createPageGuard(url: string | URL): (page: string) => void {
  const seen = new Set<string>();
  return (page) => {
    if (seen.has(page)) throw notUnderstood(url, "sends the same page again and again");
    seen.add(page);
  };
}

/** Whether a call failed because there is no such thing at that address. */
export const isMissing = (error: unknown): boolean =>
  error instanceof UpstreamError && error.upstreamStatus === 404;

/** The same, or because the credentials do not reach it. */
export const isOutOfReach = (error: unknown): boolean =>
  isMissing(error) || (error instanceof UpstreamError && error.upstreamStatus === 403);

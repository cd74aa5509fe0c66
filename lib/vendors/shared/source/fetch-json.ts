import type * as z from "zod";
import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import type { SourceContext, SourceFetch } from "../../source.ts";

/** Returns the error for a response that a source's API should not send. */
export const invalidResponse = (url: string | URL, detail = "sent an unexpected response") => {
  const { host } = new URL(url);
  return new UpstreamError(`${host} ${detail}.`, { upstream: host });
};

/** Fetches JSON. Throws an UpstreamError when the call fails or the response does not match the schema. */
export const fetchJson = async <Schema extends z.ZodType>(
  context: SourceContext,
  url: string | URL,
  schema: Schema,
  init?: Parameters<SourceFetch>[1],
): Promise<z.output<Schema>> => {
  const response = await context.fetch(url, {
    ...init,
    headers: { accept: "application/json", ...init?.headers },
  });
  let value: unknown;
  try {
    value = await response.json();
  } catch (error) {
    if (error instanceof SyntaxError) throw invalidResponse(url);
    throw error;
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw invalidResponse(url);
  return parsed.data;
};

/** Parses items, and drops those that do not match the schema. */
export const parseItems = <Schema extends z.ZodType>(
  schema: Schema,
  items: readonly unknown[],
): z.output<Schema>[] =>
  items.flatMap((item) => {
    const parsed = schema.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });

/** Creates a guard to call with each page's position; it throws when one repeats, which would loop for ever. */
export const createPageGuard = (url: string | URL): ((page: string) => void) => {
  const seen = new Set<string>();
  return (page) => {
    if (seen.has(page)) throw invalidResponse(url, "sent the same page twice");
    seen.add(page);
  };
};

/** Returns whether a call failed with 404. */
export const isMissing = (error: unknown): boolean =>
  error instanceof UpstreamError && error.upstreamStatus === 404;

/** Returns whether a call failed with 403 or 404. */
export const isInaccessible = (error: unknown): boolean =>
  isMissing(error) || (error instanceof UpstreamError && error.upstreamStatus === 403);

import type { Client } from "@notionhq/client";
import { trimSlashes } from "../../../platform/runtime/trim-end.ts";
import type { SourceContext } from "../source.ts";
import { notUnderstood } from "./read-json.ts";

/** Longer than any call has: waiting and giving up are the fetch's business. */
const clientTimeoutMilliseconds = 3_600_000;

/** Notion's own client, loaded on first use. It leaves waiting, trying again and giving up to the fetch. */
export async function createClient(
  auth: string,
  baseUrl: string,
  context: SourceContext,
): Promise<Client> {
  const { Client } = await import("@notionhq/client");
  return new Client({
    auth,
    baseUrl: trimSlashes(baseUrl),
    retry: false,
    timeoutMs: clientTimeoutMilliseconds,
    logger: () => undefined,
    fetch: (url, { method, headers, body } = {}) => {
      const entries = Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)]);
      return context.fetch(url, {
        ...(method === undefined ? {} : { method }),
        headers: Object.fromEntries(entries),
        ...(typeof body === "string" ? { body } : {}),
      });
    },
  });
}

/** The client reads JSON without looking; what is none is the source's failure. */
export async function understood<Value>(url: string, call: Promise<Value>): Promise<Value> {
  try {
    return await call;
  } catch (error) {
    throw error instanceof SyntaxError ? notUnderstood(url) : error;
  }
}

import type { Client } from "@notionhq/client";
import { trimSlashes } from "../../platform/runtime/trim-end.ts";
import { invalidResponse } from "../shared/source/fetch-json.ts";
import type { SourceContext } from "../source.ts";

/** Longer than any call: timeouts are handled by the fetch. */
const clientTimeoutMilliseconds = 3_600_000;

/** Creates a Notion client, loaded on first use. Waits, retries and timeouts are handled by the fetch. */
export const createClient = async (
  auth: string,
  baseUrl: string,
  context: SourceContext,
): Promise<Client> => {
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
};

/** Awaits a call of the client. Throws an UpstreamError for a response that is not JSON. */
export const callNotion = async <Value>(url: string, call: Promise<Value>): Promise<Value> => {
  try {
    return await call;
  } catch (error) {
    throw error instanceof SyntaxError ? invalidResponse(url) : error;
  }
};

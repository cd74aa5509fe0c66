import type * as z from "zod";
import { refusedBy, unexpectedResponse } from "./provider-api-error.ts";
import type { PlainFetch } from "./retrying-fetch.ts";

/** A call to a provider's JSON API. */
export type ApiCall = {
  /** Name of the provider for error messages. */
  provider: string;
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  headers?: Record<string, string>;
  body?: unknown;
  /**
   * Derives the status of a failed response from its body, for APIs with imprecise status codes.
   */
  readStatus?: (response: Response) => Promise<number>;
};

/** Calls a JSON API. Throws a ProviderApiError unless it succeeds. */
export const callApi = async (
  fetch: PlainFetch,
  { provider, method = "GET", url, headers, body, readStatus }: ApiCall,
): Promise<Response> => {
  const response = await fetch(url, {
    method,
    headers: {
      accept: "application/json",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw refusedBy(provider, (await readStatus?.(response)) ?? response.status);
  return response;
};

/** Calls a JSON API and parses its response. */
export const readApi = async <Schema extends z.ZodType>(
  fetch: PlainFetch,
  call: ApiCall,
  schema: Schema,
): Promise<z.output<Schema>> => readResponse(call.provider, await callApi(fetch, call), schema);

/** Parses a response. Throws a ProviderApiError when it does not match the schema. */
export const readResponse = async <Schema extends z.ZodType>(
  provider: string,
  response: Response,
  schema: Schema,
): Promise<z.output<Schema>> => {
  const parsed = schema.safeParse(await response.json().catch(() => undefined));
  if (parsed.success) return parsed.data;
  throw unexpectedResponse(provider);
};

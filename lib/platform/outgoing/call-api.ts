import type * as z from "zod";
import type { PlainFetch } from "../outgoing/patient-fetch.ts";
import { notOfItsApi, refusedBy } from "./registration-error.ts";

/** A call to a provider's JSON API. */
export type ApiCall = {
  /** The provider's name, for reasons. */
  provider: string;
  method?: "GET" | "POST" | "PUT" | "DELETE";
  url: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** What an answer without success means, where its own status does not tell. */
  statusOf?: (response: Response) => Promise<number>;
};

/** Calls a JSON API; throws when the answer is no success. */
export const callApi = async (
  fetch: PlainFetch,
  { provider, method = "GET", url, headers, body, statusOf }: ApiCall,
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
  if (!response.ok) throw refusedBy(provider, (await statusOf?.(response)) ?? response.status);
  return response;
};

/** The same, and reads the answer. */
export const readApi = async <Schema extends z.ZodType>(
  fetch: PlainFetch,
  call: ApiCall,
  schema: Schema,
): Promise<z.output<Schema>> => readAnswer(call.provider, await callApi(fetch, call), schema);

/** What an answer holds; throws when it is none that the provider's API gives. */
export const readAnswer = async <Schema extends z.ZodType>(
  provider: string,
  response: Response,
  schema: Schema,
): Promise<z.output<Schema>> => {
  const parsed = schema.safeParse(await response.json().catch(() => undefined));
  if (parsed.success) return parsed.data;
  throw notOfItsApi(provider);
};

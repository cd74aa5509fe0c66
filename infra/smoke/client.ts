import { setTimeout as sleep } from "node:timers/promises";
import type * as z from "zod";

/** A promise of the API that was broken. */
export class SmokeFailure extends Error {
  override name = "SmokeFailure";
}

/** A response with its body as text. */
export type SmokeResponse = { status: number; headers: Headers; text: string; request: string };

/** A request; `path` is a path of the API, or a link that it returned. */
export type SmokeRequest = {
  body?: unknown;
  headers?: Record<string, string>;
  /** Sends no credential. */
  isPublic?: boolean;
};

/** Calls a deployment. */
export type SmokeClient = {
  /** Base URL without a slash at the end. */
  base: string;
  send: (method: string, path: string, request?: SmokeRequest) => Promise<SmokeResponse>;
};

/** Creates a client of the deployment at `base` with the headers of a credential. */
export const smokeClient = (base: string, credential: Record<string, string>): SmokeClient => ({
  base,
  send: async (method, path, { body, headers = {}, isPublic = false } = {}) => {
    const url = path.startsWith("/v1/") ? base + path : new URL(path, `${base}/`).href;
    const response = await fetch(url, {
      method,
      redirect: "manual",
      signal: AbortSignal.timeout(60_000),
      headers: {
        ...(!isPublic && credential),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const request = `${method} ${withoutKey(url)}`;
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      request,
    };
  },
});

/** Removes an API key at the end of an inbound URL. */
const withoutKey = (url: string): string => url.replace(/\/[a-z0-9]+_live_\w+$/, "/…");

/** Throws a SmokeFailure unless the response has the status. */
export const expectStatus = (response: SmokeResponse, ...allowed: number[]): SmokeResponse => {
  if (allowed.includes(response.status)) return response;
  const { request, status, text } = response;
  throw new SmokeFailure(
    `${request} returned ${status}, not ${allowed.join(" or ")}: ${text.slice(0, 300)}`,
  );
};

/** Parses a response's JSON. Throws a SmokeFailure for another shape. */
export const readAs = <Schema extends z.ZodType>(
  schema: Schema,
  { request, text }: SmokeResponse,
): z.output<Schema> => {
  const parsed = schema.safeParse(toJson(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new SmokeFailure(`${request}: ${issue?.path.join("/")} ${issue?.message}`);
};

const toJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Throws a SmokeFailure with `detail` unless the condition is true. */
export function expectTrue(condition: boolean, detail: string): asserts condition {
  if (!condition) throw new SmokeFailure(detail);
}

/** Repeats `find` until it returns a value. Throws a SmokeFailure with `detail` after `seconds`. */
export const poll = async <Value>(
  find: () => Promise<Value | undefined>,
  detail: string,
  seconds = 90,
): Promise<Value> => {
  const end = Date.now() + seconds * 1_000;
  for (;;) {
    const value = await find();
    if (value !== undefined) return value;
    if (Date.now() > end) throw new SmokeFailure(`${detail} within ${seconds} s`);
    await sleep(500);
  }
};

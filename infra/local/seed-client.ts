import { setTimeout as sleep } from "node:timers/promises";
import type * as z from "zod";
import { StopError } from "./stop-error.ts";

/** Whether to look for a thing before trying to make it. */
export type Order = "find first" | "make first";

/** Calls the product's API; every answer that is not expected is a StopError. */
export type ApiClient = {
  /** POSTs; undefined on 409: the thing is there already. */
  make: <Schema extends z.ZodType>(
    path: string,
    body: unknown,
    schema: Schema,
  ) => Promise<z.output<Schema> | undefined>;
  /** Reads a thing at `path`, or makes it by a POST to `makePath`. */
  ensure: <Schema extends z.ZodType>(
    order: Order,
    path: string,
    schema: Schema,
    makePath: string,
    body: unknown,
  ) => Promise<z.output<Schema>>;
};

const notFound = 404;
const conflict = 409;
const unavailable = 503;
/** Storage that is busy at the start gets so many more requests. */
const retries = 5;
const millisecondsPerSecond = 1_000;

/** A client with the given credentials. */
export const apiClient = (baseUrl: string, credentials: Record<string, string>): ApiClient => {
  const call = async <Schema extends z.ZodType>(
    request: { method: string; path: string; body?: unknown },
    schema: Schema,
    noneAt?: number,
  ): Promise<z.output<Schema> | undefined> => {
    const { method, path, body } = request;
    const response = await sendUntilAvailable(`${baseUrl}${path}`, {
      method,
      headers: {
        ...credentials,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status === noneAt) return undefined;
    const parsed = response.ok
      ? schema.safeParse(text === "" ? null : JSON.parse(text))
      : undefined;
    if (parsed?.success) return parsed.data;
    throw new StopError(
      `The demonstration cannot be set up: ${method} ${path} answered ${response.status} ${text.slice(0, 300)}`,
    );
  };
  const make: ApiClient["make"] = (path, body, schema) =>
    call({ method: "POST", path, body }, schema, conflict);
  return {
    make,
    ensure: async (order, path, schema, makePath, body) => {
      const find = (noneAt?: number) => call({ method: "GET", path }, schema, noneAt);
      const found = order === "find first" ? await find(notFound) : undefined;
      const made = found ?? (await make(makePath, body, schema)) ?? (await find());
      if (made === undefined) throw new StopError(`The demonstration cannot be set up: no ${path}`);
      return made;
    },
  };
};

const sendUntilAvailable = async (url: string, request: RequestInit): Promise<Response> => {
  for (let left = retries; ; left -= 1) {
    const response = await fetch(url, request);
    const seconds = Number(response.headers.get("retry-after"));
    if (response.status !== unavailable || left === 0) return response;
    await sleep(seconds * millisecondsPerSecond);
  }
};

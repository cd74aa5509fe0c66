import { setTimeout as sleep } from "node:timers/promises";
import type * as z from "zod";
import { StopError } from "./stop-error.ts";

/** Whether to read a resource before trying to create it. */
export type Order = "get first" | "create first";

/** Calls the API. An unexpected response throws a StopError. */
export type ApiClient = {
  /** POSTs; returns undefined on 409, when the resource exists. */
  create: <Schema extends z.ZodType>(
    path: string,
    body: unknown,
    schema: Schema,
  ) => Promise<z.output<Schema> | undefined>;
  /** Reads the resource at `path`, or creates it by a POST of `body` to `collection`. */
  ensure: <Schema extends z.ZodType>(
    order: Order,
    path: string,
    schema: Schema,
    creation: { collection: string; body: unknown },
  ) => Promise<z.output<Schema>>;
};

const notFound = 404;
const conflict = 409;
const unavailable = 503;
/** Retries of a request while storage is busy at the start. */
const retries = 5;
const millisecondsPerSecond = 1_000;

/** Creates a client with the given credentials. */
export const apiClient = (baseUrl: string, credentials: Record<string, string>): ApiClient => {
  const call = async <Schema extends z.ZodType>(
    request: { method: string; path: string; body?: unknown },
    schema: Schema,
    emptyStatus?: number,
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
    if (response.status === emptyStatus) return undefined;
    const parsed = response.ok
      ? schema.safeParse(text === "" ? null : JSON.parse(text))
      : undefined;
    if (parsed?.success) return parsed.data;
    throw new StopError(
      `Cannot create the demonstration: ${method} ${path} returned ${response.status} ${text.slice(0, 300)}`,
    );
  };
  const create: ApiClient["create"] = (path, body, schema) =>
    call({ method: "POST", path, body }, schema, conflict);
  return {
    create,
    ensure: async (order, path, schema, { collection, body }) => {
      const find = (emptyStatus?: number) => call({ method: "GET", path }, schema, emptyStatus);
      const found = order === "get first" ? await find(notFound) : undefined;
      const resource = found ?? (await create(collection, body, schema)) ?? (await find());
      if (resource === undefined) {
        throw new StopError(`Cannot create the demonstration: ${path} does not exist`);
      }
      return resource;
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

import * as z from "zod";
import { startChild } from "./child.ts";

/** What to send, how often at most, and on how many connections at a time. */
export const LoadOrder = z.object({
  url: z.string(),
  method: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  connections: z.int(),
  requests: z.int(),
  /** No request is begun after this. */
  longestSeconds: z.number(),
});
export type LoadOrder = z.output<typeof LoadOrder>;

/** How it went. */
export const LoadResult = z.object({
  seconds: z.number(),
  /** Milliseconds of each request. */
  latencies: z.array(z.number()),
});
export type LoadResult = z.output<typeof LoadResult>;

/** Starts the load generator, a process of its own. An answer that is no success ends it. */
export const startLoad = () => {
  const child = startChild(new URL("load-generator.ts", import.meta.url));
  return { run: (order: LoadOrder) => child.ask(order, LoadResult), close: child.close };
};

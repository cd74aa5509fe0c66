import * as z from "zod";
import { startChild } from "./child.ts";

/** Request to send, and how often at most and on how many connections. */
export const LoadOrder = z.object({
  url: z.string(),
  method: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string(),
  connections: z.int(),
  requests: z.int(),
  /** Time after which no request is sent. */
  longestSeconds: z.number(),
});
export type LoadOrder = z.output<typeof LoadOrder>;

/** Measurements of a load. */
export const LoadResult = z.object({
  seconds: z.number(),
  /** Milliseconds of each request. */
  latencies: z.array(z.number()),
});
export type LoadResult = z.output<typeof LoadResult>;

/** Starts the load generator in a child process, which exits on a response outside 2xx. */
export const startLoad = () => {
  const child = startChild(new URL("load-generator.ts", import.meta.url));
  return { run: (order: LoadOrder) => child.ask(order, LoadResult), close: child.close };
};

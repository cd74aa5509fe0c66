import * as z from "zod";
import { type FailureReason, failureReasons } from "./model-failure.ts";

/** Most models that are called after the first one. */
export const maxFallbacks = 3;

/** Failures after which the next model is called by default. */
export const defaultFallbackOn: readonly FailureReason[] = [
  "rate-limited",
  "overloaded",
  "unavailable",
  "timeout",
];

/** Whether services that charge for it are asked to cache the beginning of requests. */
export const CacheMode = z.enum(["auto", "off"]).meta({
  description:
    "`auto` (the default): a service that caches only what it is asked to is asked to cache the beginning of requests when another one is likely.",
});
export type CacheMode = z.output<typeof CacheMode>;

/** Failures after which the next model is called. */
export const FallbackOn = z
  .array(z.enum(failureReasons))
  .max(failureReasons.length)
  .meta({
    description: `Failures after which the next model is called; by default ${defaultFallbackOn.join(", ")}.`,
  });

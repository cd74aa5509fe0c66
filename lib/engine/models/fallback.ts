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

/** Failures after which the next model is called. */
export const FallbackOn = z.array(z.enum(failureReasons)).max(failureReasons.length).meta({
  description: `Failures after which the next model is called; by default ${defaultFallbackOn.join(", ")}.`,
});

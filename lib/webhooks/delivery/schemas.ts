import * as z from "zod";
import type { ProblemSlug } from "../../platform/http/problem-registry.ts";

/** A path variable of an inbound address: an invalid value is not found rather than invalid. */
export const InboundVariable = (example: string, description: string) =>
  z.string().max(512).meta({ example, description });

/** The API key in the path. */
export const apiKeyAuth = InboundVariable(
  "wharf_live_REPLACE_ME",
  "A key with `inbound:deliver`. Secret.",
);

/** Problems of every inbound address. */
export const inboundProblems = [
  "unauthenticated",
  "credentials-expired",
  "insufficient-scope",
  "verification-failed",
  "not-found",
  "rate-limit-exceeded",
] as const satisfies readonly ProblemSlug[];

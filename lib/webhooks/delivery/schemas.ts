import * as z from "zod";
import type { ProblemSlug } from "../../platform/http/problems.ts";

/** A path variable of an inbound address: what does not fit is unknown, not wrong. */
export const InboundVariable = (example: string, description: string) =>
  z.string().max(512).meta({ example, description });

/** The key in the path. */
export const apiKeyAuth = InboundVariable(
  "wharf_live_REPLACE_ME",
  "A key with `inbound:deliver`. Secret.",
);

/** What may go wrong at any inbound address. */
export const inboundProblems = [
  "unauthenticated",
  "credentials-expired",
  "insufficient-scope",
  "not-found",
  "rate-limit-exceeded",
] as const satisfies readonly ProblemSlug[];

import type { ProblemSlug } from "../platform/http/problem-registry.ts";
import { RawBody } from "../platform/http/raw-body.ts";
import { takesIdempotencyKey } from "./idempotency/idempotency-key.ts";
import type { Route } from "./route.ts";

/** Returns all problems of a row: the ones that its shape implies and the ones that it declares. */
export const listRouteProblems = (row: Route): ProblemSlug[] => {
  const isParsed = !row.inbound || row.params !== undefined;
  const implied: ProblemSlug[] = ["method-not-allowed", "payload-too-large", "internal-error"];
  if (isParsed) implied.push("validation-failed");
  if (row.body && row.body !== RawBody) implied.push("malformed-json", "unsupported-media-type");
  if (row.path.includes("{")) implied.push("not-found");
  if (row.scope !== "public") {
    implied.push("ambiguous-credentials", "unauthenticated", "credentials-expired");
    implied.push("rate-limit-exceeded");
  }
  if (row.scope !== "public" || row.access.table) implied.push("service-unavailable");
  if (row.scope.includes(":") || row.role) implied.push("insufficient-scope");
  if (takesIdempotencyKey(row)) {
    implied.push("validation-failed", "idempotency-mismatch", "conflict");
  }
  return [...new Set([...implied, ...row.problems])];
};

import type { Principal } from "../../platform/auth/principal.ts";
import { conflict } from "../../platform/http/problems.ts";
import { hasScope } from "../../tenancy/collaborator/may.ts";
import type { CheckBefore } from "./put-score.ts";

/**
 * Creates the check that a score is the caller's own, written with `traces:write`; callers with `agents:write` may
 * change any. It throws 409.
 */
export const requireOwnScore =
  (principal: Principal, scoreId: string): CheckBefore =>
  ({ source, createdBy }) => {
    const isOwn = source === undefined && createdBy === principal.id;
    if (isOwn || hasScope(principal, "agents:write")) return;
    throw conflict(
      `The score "${scoreId}" is of another caller. Changing it needs the scope agents:write.`,
    );
  };

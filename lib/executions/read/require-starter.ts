import type { Principal } from "../../platform/auth/principal.ts";
import type { RequiredScope } from "../../platform/auth/scopes.ts";
import { insufficientScope } from "../../platform/http/problems.ts";
import { hasScope } from "../../tenancy/collaborator/may.ts";
import { type Trigger, triggerTypes } from "../schemas.ts";

const startedByCaller: readonly number[] = [triggerTypes.api, triggerTypes.test];

/**
 * Requires the scope of a caller who did not start the execution. Throws 403, also when the
 * execution does not exist.
 */
export const requireScopeOrStarter = (
  principal: Principal,
  scope: RequiredScope,
  trigger: Trigger | undefined,
): void => {
  if (!isReader(principal, scope, trigger)) throw insufficientScope(scope);
};

/** Returns whether a caller has the scope, or started the execution. */
export const isReader = (
  principal: Principal,
  scope: RequiredScope,
  trigger: Trigger | undefined,
): boolean => {
  if (hasScope(principal, scope)) return true;
  return (
    trigger !== undefined && startedByCaller.includes(trigger.type) && trigger.id === principal.id
  );
};

import type { ConsentOwner } from "../../engine/tools/tool.ts";
import type { Principal } from "../../platform/auth/principal.ts";
import { hasScope } from "../../tenancy/collaborator/may.ts";

/** A connection that needs a consent. `isActive`: whether it is used already, and lacks scopes. */
export type ConsentNeed = { owner: ConsentOwner; isActive: boolean };

/**
 * Returns whether a principal is shown the address at which a person gives consent: whoever opens it connects an account of their
 * own. Those who may run agents are shown their own, that of an end user if it is a key, which knows its end users, and the first one
 * of a connection for all.
 */
export const mayConnect = (
  principal: Pick<Principal, "type" | "id" | "scopes">,
  { owner, isActive }: ConsentNeed,
): boolean => {
  if (hasScope(principal, "integrations:write")) return true;
  const isOwner = owner.type !== "Tenant" && owner.id === principal.id;
  if (!hasScope(principal, "agents:execute")) return false;
  switch (owner.type) {
    case "Tenant":
      return !isActive;
    case "EndUser":
      return principal.type === "ApiKey" || isOwner;
    case "User":
      return isOwner;
  }
};

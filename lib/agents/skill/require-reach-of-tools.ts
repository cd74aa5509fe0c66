import { isConfigured } from "../../engine/tools/configured-integrations.ts";
import type { Principal } from "../../platform/auth/principal.ts";
import { insufficientScope } from "../../platform/http/problems.ts";
import { hasScope } from "../../tenancy/collaborator/may.ts";
import type { Skill } from "./schemas.ts";

/**
 * Throws 403 when tools of a skill belong to integration configs that the caller may not read: executions that use the
 * skill would call them with the config's credentials.
 */
export const requireToolReach = (
  principal: Pick<Principal, "scopes">,
  tools: Skill["tools"] | undefined,
): void => {
  if (hasScope(principal, "integrations:read")) return;
  const isReached = tools?.some(({ integrationId }) => isConfigured(integrationId)) ?? false;
  if (isReached) throw insufficientScope("integrations:read");
};

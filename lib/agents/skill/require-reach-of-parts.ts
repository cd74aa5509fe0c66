import { isConfigured } from "../../engine/tools/configured-integrations.ts";
import type { Principal } from "../../platform/auth/principal.ts";
import type { ScopeName } from "../../platform/auth/scopes.ts";
import { insufficientScope } from "../../platform/http/problems.ts";
import { hasScope } from "../../tenancy/collaborator/may.ts";
import type { UpdateSkillBody } from "./schemas.ts";

/** Scopes that a caller needs for what skills name. */
export const partScopes = ["integrations:read", "assets:read"] as const satisfies ScopeName[];

/**
 * Throws 403 when tools of skills belong to integration configs, or resources are assets, that the caller may not read:
 * executions that use a skill would call the tools with the config's credentials, and read the assets.
 */
export const requirePartReach = (
  principal: Pick<Principal, "scopes">,
  { tools, resources }: Pick<UpdateSkillBody, "tools" | "resources">,
): void => {
  const namesConfigs = tools?.some(({ integrationId }) => isConfigured(integrationId)) ?? false;
  const namesAssets = (resources ?? []).length > 0;
  const needed = [
    ...(namesConfigs ? (["integrations:read"] as const) : []),
    ...(namesAssets ? (["assets:read"] as const) : []),
  ];
  const missing = needed.find((scope) => !hasScope(principal, scope));
  if (missing) throw insufficientScope(missing);
};

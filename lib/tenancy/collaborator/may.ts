import type { Principal } from "../../platform/auth/principal.ts";
import type { RequiredScope } from "../../platform/auth/scopes.ts";
import { type CollaboratorRole, reaches } from "./role.ts";

/** Requirements of an effect: a scope and, for principals limited by roles, a minimum role at the agent. */
export type Requirement = {
  scope: RequiredScope;
  role?: CollaboratorRole | undefined;
};

/**
 * Effects at an agent that several routes have. All of them require the same as the direct one
 * (`:execute`, `:test`), in addition to their own scope; docs/permissions.md lists the routes.
 */
export const effects = {
  run: { scope: "agents:execute", role: "Editor" },
  test: { scope: "agents:test", role: "Editor" },
} as const satisfies Record<string, Requirement>;

/** A decision; a refusal contains the missing scope or role. */
export type RoleDecision =
  | { allowed: true }
  | { allowed: false; missing: "scope" }
  | { allowed: false; missing: "role"; held: CollaboratorRole; required: CollaboratorRole };

/** Returns whether a principal has a scope; true for access values that are not scopes. */
export const hasScope = ({ scopes }: Pick<Principal, "scopes">, scope: RequiredScope): boolean => {
  switch (scope) {
    case "public":
    case "authenticated":
    case "api-key":
      return true;
    default:
      return scopes.includes(scope);
  }
};

/**
 * Decides whether a principal may cause an effect. `held` are the roles of the principal's users at the agent; users
 * who are not collaborators are limited by scopes only.
 */
export const decide = (
  principal: Pick<Principal, "scopes">,
  { scope, role }: Requirement,
  held: readonly CollaboratorRole[],
): RoleDecision => {
  if (!hasScope(principal, scope)) return { allowed: false, missing: "scope" };
  const short = role && held.find((grant) => !reaches(grant, role));
  return short
    ? { allowed: false, missing: "role", held: short, required: role }
    : { allowed: true };
};

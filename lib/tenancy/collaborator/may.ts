import type { Principal } from "../../platform/auth/principal.ts";
import type { RequiredScope } from "../../platform/auth/scopes.ts";
import { type CollaboratorRole, reaches } from "./role.ts";

/** What an effect asks of a principal: a scope and, of one limited by a role at the agent, at least this role. */
export type Requirement = {
  scope: RequiredScope;
  role?: CollaboratorRole | undefined;
};

/**
 * The effects at an agent that more than one way leads to. Every way asks for the same as the direct one
 * (`:execute`, `:test`), besides the scope of its own route; docs/permissions.md lists the ways.
 */
export const effects = {
  run: { scope: "agents:execute", role: "Editor" },
  test: { scope: "agents:test", role: "Editor" },
} as const satisfies Record<string, Requirement>;

/** Whether an effect is allowed; if not, what is missing. */
export type Decision =
  | { allowed: true }
  | { allowed: false; missing: "scope" }
  | { allowed: false; missing: "role"; held: CollaboratorRole; required: CollaboratorRole };

/** Whether a principal has a scope; what is no scope of the catalog is left to authentication. */
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
 * Decides what a principal may do: the one rule that every way asks. `held` are the roles at the agent of the
 * principal's users; those who are no collaborators have none, and are limited by scopes alone.
 */
export const decide = (
  principal: Pick<Principal, "scopes">,
  { scope, role }: Requirement,
  held: readonly CollaboratorRole[],
): Decision => {
  if (!hasScope(principal, scope)) return { allowed: false, missing: "scope" };
  const short = role && held.find((each) => !reaches(each, role));
  return short
    ? { allowed: false, missing: "role", held: short, required: role }
    : { allowed: true };
};

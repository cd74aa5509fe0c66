import { findPreset } from "../../../lib/platform/auth/scopes.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";

const invoke = "mcp:invoke";

/** Scopes that a client may ask for. */
export const supportedScopes: readonly string[] = ["openid", "email", invoke];

/**
 * Returns the scopes of a user's sign-in: of those that the client asked for, the ones that this issuer has and the user's role
 * allows. A client that asks for none gets those that it needs: for a server the right to call it.
 */
export const grantScopes = (
  { resource, scope }: Pick<AuthorizationRequest, "resource" | "scope">,
  role: string,
): string[] => {
  if (resource === undefined) return ["openid", "email"];
  const asked = new Set(scope ? scope.split(" ") : [invoke]);
  const mayInvoke = findPreset(role)?.includes("agents:execute") ?? false;
  return supportedScopes.filter((name) => asked.has(name) && (name !== invoke || mayInvoke));
};

import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";

const scopeName = /^[\w.:/-]{1,100}$/;
const maxScopes = 20;

/** Returns the scopes of a service's text if they are plain, since a person has to consent to them; none otherwise. */
export const readScopes = (text: string): string[] => {
  const scopes = text.split(" ").filter((scope) => scope !== "");
  const isPlain = scopes.length <= maxScopes && scopes.every((scope) => scopeName.test(scope));
  return isPlain ? scopes : [];
};

/** Returns the scopes that a challenge asks for (RFC 6750, 3.1); undefined for another challenge. */
export const readMissingScopes = (challenge: string): string[] | undefined =>
  /\berror="insufficient_scope"/.test(challenge)
    ? readScopes(/\bscope="([^"]*)"/.exec(challenge)?.[1] ?? "")
    : undefined;

/** Returns the error of a call that a service refused because its access token lacks scopes. */
export const lacksScopes = (
  upstream: string,
  missingScopes: readonly string[],
  options?: ErrorOptions,
): UpstreamError => {
  const isKnown = missingScopes.length > 0;
  const named = isKnown ? `the scopes "${missingScopes.join(" ")}"` : "more scopes";
  const message = `${upstream} needs ${named}: connect the account again with them.`;
  return new UpstreamError(message, { upstream, upstreamStatus: 403, missingScopes }, options);
};

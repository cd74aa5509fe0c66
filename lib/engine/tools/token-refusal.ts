import {
  parseChallenges,
  readChallengeParameter,
} from "../../platform/outgoing/parse-challenges.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";

const scopeName = /^[\w.:/-]{1,100}$/;
const maxScopes = 20;

/** Returns the scopes of a service's text if they are plain, since a person has to consent to them; none otherwise. */
const readScopes = (text: string): string[] => {
  const scopes = text.split(" ").filter((scope) => scope !== "");
  const isPlain = scopes.length <= maxScopes && scopes.every((scope) => scopeName.test(scope));
  return isPlain ? scopes : [];
};

/**
 * Returns why a service refused an access token with a status and `WWW-Authenticate` (RFC 6750, 3.1): the scopes that it asks
 * for, with 403, and the errors that it names, with 401.
 */
export const readTokenRefusal = (
  status: number,
  header = "",
): { missingScopes: string[]; tokenErrors: string[] } => ({
  missingScopes: status === 403 ? readMissingScopes(header) : [],
  tokenErrors: status === 401 ? readChallengeParameter(header, "error") : [],
});

const readMissingScopes = (header: string): string[] => {
  const challenge = parseChallenges(header).find(
    (parameters) => parameters.get("error") === "insufficient_scope",
  );
  return readScopes(challenge?.get("scope") ?? "");
};

/** Returns the error of a call with an access token that lacks scopes, with their names. */
export const lacksScopes = (
  {
    upstream,
    missingScopes,
    responseExcerpt,
  }: Pick<UpstreamError, "upstream" | "missingScopes"> & { responseExcerpt?: string | undefined },
  cause: unknown,
): UpstreamError => {
  const isKnown = missingScopes.length > 0;
  const named = isKnown ? `the scopes "${missingScopes.join(" ")}"` : "more scopes";
  const message = `${upstream} needs ${named}: connect the account again with them.`;
  const excerpt = responseExcerpt === undefined ? {} : { responseExcerpt };
  const details = { upstream, upstreamStatus: 403, missingScopes, ...excerpt };
  return new UpstreamError(message, details, { cause });
};

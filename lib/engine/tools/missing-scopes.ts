import { readChallengeParameter } from "../../platform/outgoing/read-challenge.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";

const scopeName = /^[\w.:/-]{1,100}$/;
const maxScopes = 20;

/** Returns the scopes of a service's text if they are plain, since a person has to consent to them; none otherwise. */
export const readScopes = (text: string): string[] => {
  const scopes = text.split(" ").filter((scope) => scope !== "");
  const isPlain = scopes.length <= maxScopes && scopes.every((scope) => scopeName.test(scope));
  return isPlain ? scopes : [];
};

/** Returns the scopes that a challenge asks for (RFC 6750, 3.1); none for another challenge. */
export const readMissingScopes = (challenge: string): string[] =>
  readChallengeParameter(challenge, "error") === "insufficient_scope"
    ? readScopes(readChallengeParameter(challenge, "scope") ?? "")
    : [];

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

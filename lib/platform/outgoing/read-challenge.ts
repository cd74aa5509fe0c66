/** Returns a quoted parameter of a challenge in `WWW-Authenticate` (RFC 9110, 11.6.1); undefined without it. */
export const readChallengeParameter = (challenge: string, name: string): string | undefined =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(challenge)?.[1];

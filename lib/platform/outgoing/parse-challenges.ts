/** A parameter, or the scheme with which a challenge begins. Values without quotes may have characters that need them. */
const part = /([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)(?:"|$)|([^\s,"]+)))?/y;
const separators = /[\s,]*/y;
/** The one value of a challenge without parameters. */
const token68 = /[ \t]+[\w.~+/-]+=*(?=\s*(?:,|$))/y;

/**
 * Parses the challenges of `WWW-Authenticate` (RFC 9110, 11.6.1), in time that is linear in its length. Returns the parameters
 * of each of them by their names in lower case; of a malformed header those that can be read.
 */
export const parseChallenges = (header: string): ReadonlyMap<string, string>[] => {
  const challenges: Map<string, string>[] = [];
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(header);
    if (found) at = pattern.lastIndex;
    return found;
  };
  while (at >= 0 && match(separators) && at < header.length) {
    const [, name, quoted, plain] = match(part) ?? [];
    const value = quoted?.replace(/\\(.)/g, "$1") ?? plain;
    const current = challenges.at(-1);
    if (name === undefined) {
      at = header.indexOf(",", at);
    } else if (value === undefined) {
      challenges.push(new Map());
      match(token68);
    } else if (current && !current.has(name.toLowerCase())) {
      current.set(name.toLowerCase(), value);
    }
  }
  return challenges;
};

/** Returns the values of a parameter in the challenges that have it, in their order. */
export const readChallengeParameter = (header: string, name: string): string[] =>
  parseChallenges(header).flatMap((parameters) => parameters.get(name) ?? []);

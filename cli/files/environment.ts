/** `${NAME}` is a variable; another `$` in front of it makes it a text. */
const variable = /(\$?)\$\{([A-Za-z_]\w{0,99})\}/g;

/** Variables of the environment by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A text with its variables replaced, and the names of those that are not set. */
export type Interpolated = { text: string; missing: readonly string[] };

/** Replaces `${NAME}` by the variable's value; `$${NAME}` becomes the text `${NAME}`. Missing ones are kept. */
export const interpolate = (source: string, environment: Environment): Interpolated => {
  const missing: string[] = [];
  const text = source.replaceAll(variable, (whole, extra: string, name: string) => {
    if (extra !== "") return whole.slice(1);
    const value = environment[name];
    if (value === undefined) missing.push(name);
    return value ?? whole;
  });
  return { text, missing };
};

/** Escapes a text so that `interpolate` returns it. */
export const escapeVariables = (text: string): string => text.replaceAll(variable, "$$$&");

/** Removes the escapes of a text. */
export const unescapeVariables = (text: string): string =>
  text.replaceAll(variable, (whole, extra: string) => whole.slice(extra.length));

/**
 * Returns whether a text in a file equals a value after interpolation. An unset variable matches
 * any text.
 */
export const standsFor = (source: string, value: string, environment: Environment): boolean => {
  const { text, missing } = interpolate(source, environment);
  if (missing.length === 0) return text === value;
  let rest = value;
  const fixed = fixedParts(source, environment);
  for (const [at, part] of fixed.entries()) {
    const found = at === fixed.length - 1 ? rest.lastIndexOf(part) : rest.indexOf(part);
    if (found === -1 || (at === 0 && found !== 0)) return false;
    rest = rest.slice(found + part.length);
  }
  return rest === "";
};

/** Splits a text at the variables that are not set. */
const fixedParts = (source: string, environment: Environment): string[] => {
  const parts: string[] = [];
  let start = 0;
  for (const match of source.matchAll(variable)) {
    const [whole, extra, name = ""] = match;
    if (extra !== "" || environment[name] !== undefined) continue;
    parts.push(interpolate(source.slice(start, match.index), environment).text);
    start = match.index + whole.length;
  }
  return [...parts, interpolate(source.slice(start), environment).text];
};

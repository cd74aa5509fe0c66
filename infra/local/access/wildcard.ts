/** A test of a string against an IAM pattern, in which `*` is any text and `?` any one character. */
export const wildcard = (
  pattern: string,
  { ignoreCase = false }: { ignoreCase?: boolean } = {},
): ((text: string) => boolean) => {
  if (pattern === "*") return () => true;
  if (!/[*?]/.test(pattern) && !ignoreCase) return (text) => text === pattern;
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", "[^]*")
    .replaceAll("?", "[^]");
  const expression = new RegExp(`^${source}$`, ignoreCase ? "i" : "");
  return (text) => expression.test(text);
};

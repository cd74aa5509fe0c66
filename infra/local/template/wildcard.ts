/** Compiles an IAM pattern: `*` matches any text, `?` any one character. */
export const wildcard = (
  pattern: string,
  { ignoreCase = false }: { ignoreCase?: boolean } = {},
): ((text: string) => boolean) => {
  const spelled = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  const wanted = spelled(pattern);
  return (text) => matches(wanted, spelled(text));
};

/** Matches greedily and backtracks only to the latest `*`: at most pattern length × text length steps. */
const matches = (pattern: string, text: string): boolean => {
  let [at, inText] = [0, 0];
  let latest: { star: number; inText: number } | undefined;
  while (inText < text.length) {
    if (pattern[at] === "*") {
      latest = { star: at, inText };
      at += 1;
    } else if (pattern[at] === "?" || pattern[at] === text[inText]) {
      at += 1;
      inText += 1;
    } else if (latest) {
      latest.inText += 1;
      at = latest.star + 1;
      inText = latest.inText;
    } else {
      return false;
    }
  }
  while (pattern[at] === "*") at += 1;
  return at === pattern.length;
};

/** Removes the given characters from the end of a text, in one pass. */
export const trimEnd = (text: string, characters: string): string => {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
};

/** Removes the slashes at the end of a URL or path. */
export const trimSlashes = (text: string): string => trimEnd(text, "/");

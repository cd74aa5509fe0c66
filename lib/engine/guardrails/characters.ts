/** Returns whether a character is an ASCII digit. */
export const isDigit = (character: string | undefined): boolean =>
  character !== undefined && character >= "0" && character <= "9";

/** Returns whether a character is an ASCII letter. */
export const isLetter = (character: string | undefined): boolean =>
  character !== undefined &&
  ((character >= "a" && character <= "z") || (character >= "A" && character <= "Z"));

/** Returns whether a character is an ASCII letter or digit. */
export const isAlphanumeric = (character: string | undefined): boolean =>
  isDigit(character) || isLetter(character);

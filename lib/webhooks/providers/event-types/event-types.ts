/** Splits a list of names. */
export const namesIn = (text: string): readonly string[] => text.trim().split(/\s+/);

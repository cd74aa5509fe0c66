/** Parses JSON; undefined for a text that is not JSON. */
export const parseJson = (text: string): { value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
};

export const open = "{%";
export const close = "%}";
export const maxExpressionsInString = 200;

/** Returns whether a string contains an expression. */
export const isTemplate = (text: string): boolean => text.includes(open);

/** Returns whether any string of a JSON value contains an expression. */
export const holdsTemplate = (value: unknown): boolean => {
  if (typeof value === "string") return isTemplate(value);
  return typeof value === "object" && value !== null && Object.values(value).some(holdsTemplate);
};

export const open = "{%";
export const close = "%}";
export const maxExpressionsInString = 200;

/** Whether a string holds anything to evaluate. */
export function isTemplate(text: string): boolean {
  return text.includes(open);
}

/** Whether any string of a JSON value holds something to evaluate. */
export function holdsTemplate(value: unknown): boolean {
  if (typeof value === "string") return isTemplate(value);
  return typeof value === "object" && value !== null && Object.values(value).some(holdsTemplate);
}

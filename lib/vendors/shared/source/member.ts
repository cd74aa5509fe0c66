/** Returns an own member of a JSON value, or undefined. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;

/** Returns a string member, or "". */
export const textMember = (value: unknown, name: string): string => {
  const found = member(value, name);
  return typeof found === "string" ? found : "";
};

/** Returns a list member, or an empty list. */
export const listMember = (value: unknown, name: string): readonly unknown[] => {
  const found = member(value, name);
  return Array.isArray(found) ? found : [];
};

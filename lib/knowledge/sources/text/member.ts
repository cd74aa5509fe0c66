/** The own member of a JSON value; undefined where there is none. */
export const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;

/** The same where it is a string; "" for anything else. */
export const textMember = (value: unknown, name: string): string => {
  const found = member(value, name);
  return typeof found === "string" ? found : "";
};

/** The same where it is a list; empty for anything else. */
export const listMember = (value: unknown, name: string): readonly unknown[] => {
  const found = member(value, name);
  return Array.isArray(found) ? found : [];
};

import { isRecord } from "./members.ts";

/** Returns a value whose expressions read `steps.AFTER` in place of `steps.BEFORE`. */
export const renameInExpressions = (value: unknown, before: string, after: string): unknown => {
  const escaped = before.replaceAll(/[^A-Za-z0-9_]/g, String.raw`\$&`);
  const pattern = new RegExp(`\\bsteps\\.(?:\`${escaped}\`|${escaped}(?![A-Za-z0-9_-]))`, "g");
  const name = /^[A-Za-z_][A-Za-z0-9_]*$/.test(after) ? after : `\`${after}\``;
  const rename = (each: unknown): unknown => {
    if (typeof each === "string") return each.replaceAll(pattern, () => `steps.${name}`);
    if (Array.isArray(each)) return each.map(rename);
    if (!isRecord(each)) return each;
    return Object.fromEntries(Object.entries(each).map(([key, member]) => [key, rename(member)]));
  };
  return rename(value);
};

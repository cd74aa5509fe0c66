import { isRecord } from "./members.ts";

/** Replaces `steps.BEFORE` with `steps.AFTER` in the expressions of a value. */
export const renameInExpressions = (value: unknown, before: string, after: string): unknown => {
  if (typeof value === "string") return renameInText(value, before, after);
  if (Array.isArray(value)) return value.map((item) => renameInExpressions(item, before, after));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      renameInExpressions(member, before, after),
    ]),
  );
};

const renameInText = (text: string, before: string, after: string): string => {
  const name = /^[A-Za-z_][A-Za-z0-9_]*$/.test(after) ? after : `\`${after}\``;
  const quoted = text.replaceAll(`steps.\`${before}\``, () => `steps.${name}`);
  const [first = "", ...parts] = quoted.split(`steps.${before}`);
  return parts.reduce((done, part) => {
    const isWhole = !/^[A-Za-z0-9_-]/.test(part) && !/[A-Za-z0-9_$]$/.test(done);
    return `${done}steps.${isWhole ? name : before}${part}`;
  }, first);
};

/** Members that a `tracestate` may have, and the characters that are propagated. */
const maxMembers = 32;
const maxCharacters = 512;
/** Longer members are left out first. */
const longMember = 128;

const key = /^(?:[a-z][-_a-z\d*/]{0,255}|[a-z\d][-_a-z\d*/]{0,240}@[a-z][-_a-z\d*/]{0,13})$/;
const value =
  /^[\u0020-\u002b\u002d-\u003c\u003e-\u007e]{0,255}[\u0021-\u002b\u002d-\u003c\u003e-\u007e]$/;

/**
 * Parses the values of the header `tracestate` and joins them; undefined when there is no member or one is not valid.
 * What is longer than 512 characters loses long members, then the last ones.
 */
export const parseTracestate = (values: readonly string[]): string | undefined => {
  const members = values
    .flatMap((value) => value.split(","))
    .map((member) => member.trim())
    .filter((member) => member !== "");
  if (members.length === 0 || members.length > maxMembers) return undefined;
  const keys = members.map((member) => member.slice(0, Math.max(0, member.indexOf("="))));
  if (new Set(keys).size < keys.length) return undefined;
  const isValid = members.every((member, at) => {
    const name = keys[at] ?? "";
    return key.test(name) && value.test(member.slice(name.length + 1));
  });
  return isValid ? shorten(members) : undefined;
};

const shorten = (members: readonly string[]): string | undefined => {
  const whole = members.join(",");
  if (whole.length <= maxCharacters) return whole;
  const kept = members.filter(({ length }) => length <= longMember);
  while (kept.join(",").length > maxCharacters) kept.pop();
  return kept.length === 0 ? undefined : kept.join(",");
};

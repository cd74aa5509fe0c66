/** A key at the left margin with a value on its line that YAML would not take for more than a plain text. */
const plainLine = /^([A-Za-z_][\w-]*[ \t]*:[ \t]+)([^\s"'|>[{#&!].*)$/;
/** What makes YAML read a plain text as something else. */
const misread = /:(?:[ \t]|$)|^[@`%*]/;
const nestedKey = /^[ \t]+["']?[\w.-]+["']?[ \t]*:(?:[ \t]|$)/;
const continued = /^[ \t]+[^\s#-]/;

/**
 * Puts quotes around the values that people write without, such as `description: Use when: asked`, with the
 * lines that go on with them; every line keeps its number. Undefined when there is no such value.
 */
export const quoteValues = (lines: readonly string[]): string[] | undefined => {
  const quoted = [...lines];
  let changed = false;
  for (let at = 0; at < lines.length; at += 1) {
    const [, key, value] = plainLine.exec(lines[at] ?? "") ?? [];
    if (key === undefined || value === undefined) continue;
    const parts = [value];
    while (continued.test(lines[at + parts.length] ?? "")) {
      parts.push(lines[at + parts.length] ?? "");
    }
    const text = parts.map((part) => part.trim()).join(" ");
    if (!misread.test(text) || parts.slice(1).some((part) => nestedKey.test(part))) continue;
    parts.forEach((_, offset) => {
      quoted[at + offset] = offset === 0 ? key + JSON.stringify(text) : "";
    });
    changed = true;
  }
  return changed ? quoted : undefined;
};

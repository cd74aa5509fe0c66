/** A top-level key with a plain value on the same line. */
const plainLine = /^([A-Za-z_][\w-]*[ \t]*:[ \t]+)([^\s"'|>[{#&!].*)$/;
/** Characters that YAML reads as syntax in a plain value. */
const misread = /:(?:[ \t]|$)|^[@`%*]/;
const nestedKey = /^[ \t]+["']?[\w.-]+["']?[ \t]*:(?:[ \t]|$)/;
const continued = /^[ \t]+[^\s#-]/;

/**
 * Quotes values that are commonly written without quotes, such as `description: Use when: asked`, with their
 * continuation lines; keeps line numbers. Undefined when there are none.
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

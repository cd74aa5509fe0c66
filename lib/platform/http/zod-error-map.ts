import type * as z from "zod";

const nouns: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "an array",
  null: "null",
};

/**
 * Formats a validation issue as a detail that follows its pointer: "is required", "must be a string". Undefined
 * leaves the message to zod. For `safeParse(value, { error: zodErrorMap })`.
 */
export const zodErrorMap: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      return typeDetail(issue.expected, issue.input);
    case "invalid_value":
      return issue.input === undefined ? "is required" : `must be ${formatChoices(issue.values)}`;
    case "invalid_union":
      return unionDetail(issue);
    case "too_small":
      return sizeDetail(issue, "at least", issue.minimum, issue.inclusive);
    case "too_big":
      return sizeDetail(issue, "at most", issue.maximum, issue.inclusive);
    case "invalid_format":
      return formatDetail(issue.format, "pattern" in issue ? issue.pattern : undefined);
    case "unrecognized_keys":
      return unknownDetail(issue.keys);
    default:
      return undefined;
  }
};

const maxNamed = 5;

const unknownDetail = (names: readonly string[]): string => {
  const named = names.slice(0, maxNamed).map((name) => JSON.stringify(name));
  const others = names.length - named.length;
  const noun = names.length === 1 ? "an unknown member" : "unknown members";
  return `has ${noun}: ${named.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
};

const typeDetail = (expected: string, input: unknown): string => {
  if (input === undefined) return "is required";
  if (expected === "never") return "is not known here";
  return `must be ${nouns[expected] ?? expected}`;
};

const unionDetail = ({ input, options }: { input?: unknown; options?: readonly unknown[] }) => {
  if (input === undefined) return "is required";
  return options && options.length > 0
    ? `must be ${formatChoices(options)}`
    : "has none of the forms that are allowed";
};

const formatChoices = (values: readonly unknown[]): string => {
  const listed = values.map((value) => (typeof value === "string" ? `"${value}"` : String(value)));
  return listed.length === 1 ? listed.join() : `one of ${listed.join(", ")}`;
};

const units: Readonly<Record<string, [one: string, many: string]>> = {
  string: ["character", "characters"],
  array: ["item", "items"],
  set: ["item", "items"],
  record: ["member", "members"],
  object: ["member", "members"],
};

const sizeDetail = (
  { origin, exact }: { origin: string; exact?: boolean | undefined },
  bound: "at least" | "at most",
  size: number | bigint,
  inclusive: boolean | undefined,
): string => {
  const [one, many] = units[origin] ?? [];
  const unit = size === 1 || size === 1n ? one : many;
  if (unit) return `must have ${exact ? "exactly" : bound} ${size} ${unit}`;
  if (inclusive === false)
    return `must be ${bound === "at least" ? "greater" : "less"} than ${size}`;
  return `must be ${exact ? "" : `${bound} `}${size}`;
};

const formats: Readonly<Record<string, string>> = {
  uuid: "a uuid",
  url: "a URL",
  email: "an e-mail address",
  datetime: "a time in ISO 8601",
};

const formatDetail = (format: string, pattern: string | undefined): string | undefined => {
  if (format === "regex") return pattern && `must match ${pattern}`;
  return formats[format] && `must be ${formats[format]}`;
};

/** Formats a path as a JSON pointer (RFC 6901); "" is the whole body. */
export const toIssuePointer = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

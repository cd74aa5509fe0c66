import * as z from "zod";
import { parseAddress } from "../../../platform/outgoing/parse-address.ts";
import { trimSlashes } from "../../../platform/runtime/trim-end.ts";
import type { ToolConfig } from "../integration.ts";
import { ToolError } from "../tool.ts";

const blankAsNone = (value: unknown): unknown =>
  typeof value === "string" && value.trim() === "" ? undefined : (value ?? undefined);
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(blankAsNone, schema.optional());

const Settings = z.object({
  document: optional(
    z.union([z.string(), z.record(z.string(), z.json())], "must be a JSON or YAML text"),
  ),
  documentUrl: optional(z.string("must be a URL")),
  baseUrl: optional(z.string("must be a URL")),
  operations: optional(
    z
      .union([z.string(), z.array(z.string())], "must be a list of names")
      .transform((value) => (typeof value === "string" ? value.split(",") : value))
      .transform((names) => names.map((name) => name.trim()).filter((name) => name !== ""))
      .pipe(z.array(z.string().max(300)).max(500)),
  ),
  sendTraceContext: optional(
    z
      .union([z.boolean(), z.enum(["true", "false"])], "must be true or false")
      .transform((value) => value === true || value === "true"),
  ),
});

/** The settings of a config of `openapi`. */
export type Settings = z.output<typeof Settings> & {
  /** `baseUrl` without a trailing slash. */
  readonly base: string | undefined;
};

/** Parses a config's settings. Throws a ToolError for invalid ones. */
export const readSettings = ({ parameters }: ToolConfig): Settings => {
  const parsed = Settings.safeParse(parameters);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ToolError(
      `The config's "${String(issue?.path[0])}" ${issue?.message ?? "is wrong"}.`,
    );
  }
  const { document, documentUrl, baseUrl } = parsed.data;
  if ((document === undefined) === (documentUrl === undefined)) {
    throw new ToolError('The config needs either "document" or "documentUrl".');
  }
  if (documentUrl !== undefined && !parseAddress(documentUrl)) {
    throw new ToolError('The config\'s "documentUrl" is not a URL.');
  }
  if (baseUrl !== undefined && !isBase(baseUrl)) {
    throw new ToolError('The config\'s "baseUrl" must be a URL without user, query and fragment.');
  }
  return { ...parsed.data, base: baseUrl === undefined ? undefined : trimSlashes(baseUrl.trim()) };
};

const isBase = (text: string): boolean => {
  const url = parseAddress(text.trim());
  if (!url) return false;
  const { protocol, username, password, search, hash } = url;
  const isWeb = protocol === "https:" || protocol === "http:";
  return isWeb && [username, password, search, hash].every((part) => part === "");
};

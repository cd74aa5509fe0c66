import { validationFailed } from "../../platform/http/problems.ts";
import { toIssuePointer, zodErrorMap } from "../../platform/http/zod-error-map.ts";
import { maxAddressLength, parseAddress } from "../../platform/outgoing/parse-address.ts";
import { isRecord } from "../../values/json/json.ts";
import { parseJson } from "../../values/json/parse-json.ts";
import { McpOffer } from "./mcp-offer.ts";
import type { IntegrationContent } from "./schemas.ts";

/** Maximum size of a config as JSON in UTF-8: it must fit in an item, and a page of configs in a response. */
const maxBytes = 128 * 1024;

/** Throws 400 for a config that is too large to store. */
export const checkContent = (content: IntegrationContent): void => {
  const bytes = Buffer.byteLength(JSON.stringify(content));
  if (bytes > maxBytes) {
    const detail = `is ${bytes} bytes of JSON; the maximum is ${maxBytes}`;
    throw validationFailed([{ pointer: "", detail }]);
  }
};

/** Throws 400 when a required setting of an `openapi`, `mcp` or `a2a` config is missing or not a URL. */
export const checkSettings = (
  integrationId: string,
  { parameters }: Pick<IntegrationContent, "parameters">,
): void => {
  const errors = [
    ...baseUrlProblems(parameters),
    ...settingsProblems(integrationId, parameters),
  ].map(([name, detail]) => ({ pointer: toIssuePointer(["parameters", name]), detail }));
  if (errors.length > 0) throw validationFailed(errors);
};

const mustBeUrl = `must be a URL of at most ${maxAddressLength} characters`;

type SettingsProblem = readonly [name: string, detail: string];

const baseUrlProblems = ({ baseUrl }: Readonly<Record<string, unknown>>): SettingsProblem[] =>
  typeof baseUrl === "string" && baseUrl.length > maxAddressLength
    ? [["baseUrl", `must have at most ${maxAddressLength} characters`]]
    : [];

const settingsProblems = (
  integrationId: string,
  parameters: Readonly<Record<string, unknown>>,
): SettingsProblem[] => {
  switch (integrationId) {
    case "mcp":
      if (isUnset(parameters.url)) return [["url", "is required: the address of an MCP server"]];
      return isUrl(parameters.url) ? [] : [["url", mustBeUrl]];
    case "a2a":
      if (isUnset(parameters.url)) return [["url", "is required: the address of an A2A agent"]];
      return isUrl(parameters.url) ? [] : [["url", mustBeUrl]];
    case "openapi":
      if (isSwagger(parameters.document)) {
        const detail = "is Swagger 2.0; only OpenAPI 3.0 and 3.1 are supported. Convert it first";
        return [["document", detail]];
      }
      if (isUnset(parameters.documentUrl)) {
        const detail = "is required without documentUrl";
        return isUnset(parameters.document) ? [["document", detail]] : [];
      }
      return isUrl(parameters.documentUrl) ? [] : [["documentUrl", mustBeUrl]];
    default:
      return [];
  }
};

const isSwagger = (document: unknown): boolean => {
  if (isRecord(document)) return Object.hasOwn(document, "swagger");
  if (typeof document !== "string") return false;
  const parsed = parseJson(document);
  return parsed.ok
    ? isRecord(parsed.value) && isSwagger(parsed.value)
    : /^swagger *:/m.test(document);
};

const isUnset = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

const isUrl = (value: unknown): boolean =>
  typeof value === "string" && parseAddress(value) !== undefined;

/** Throws 400 when the agents or tools that the MCP server offers are not lists of ids. */
export const checkOffer = ({ parameters }: Pick<IntegrationContent, "parameters">): void => {
  const { error } = McpOffer.safeParse(parameters, { error: zodErrorMap });
  if (!error) return;
  throw validationFailed(
    error.issues.map(({ path, message }) => ({
      pointer: toIssuePointer(["parameters", ...path]),
      detail: message,
    })),
  );
};

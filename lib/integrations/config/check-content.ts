import { pointerOf } from "../../platform/http/parse-request.ts";
import { validationFailed } from "../../platform/http/problems.ts";
import { sayWrong } from "../../platform/http/say-wrong.ts";
import { maxAddressLength, parseAddress } from "../../platform/outgoing/parse-address.ts";
import { McpOffer } from "./mcp-offer.ts";
import type { IntegrationContent } from "./schemas.ts";

/** Most bytes of a config, as JSON in UTF-8: it has to fit in an item, and a page of them in an answer. */
const mostBytes = 128 * 1024;
const mostCredentials = 64;

/** Throws 400 for a config that is too large to be kept. */
export const checkContent = (content: IntegrationContent): void => {
  const bytes = Buffer.byteLength(JSON.stringify(content));
  if (bytes > mostBytes) {
    const detail = `is ${bytes} bytes of JSON in all; at most ${mostBytes} can be kept`;
    throw validationFailed([{ pointer: "", detail }]);
  }
  if (Object.keys(content.auth?.parameters ?? {}).length > mostCredentials) {
    const detail = `holds more than ${mostCredentials} values`;
    throw validationFailed([{ pointer: "/auth/parameters", detail }]);
  }
};

/** Throws 400 where what a config of `openapi` or `mcp` cannot do without is missing, or no address. */
export const checkSettings = (
  integrationId: string,
  { parameters }: Pick<IntegrationContent, "parameters">,
): void => {
  const errors = [
    ...baseUrlProblems(parameters),
    ...settingsProblems(integrationId, parameters),
  ].map(([name, detail]) => ({ pointer: pointerOf(["parameters", name]), detail }));
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
    case "openapi":
      if (isUnset(parameters.documentUrl)) {
        const detail = "is required, unless documentUrl says where it is";
        return isUnset(parameters.document) ? [["document", detail]] : [];
      }
      return isUrl(parameters.documentUrl) ? [] : [["documentUrl", mustBeUrl]];
    default:
      return [];
  }
};

const isUnset = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && value.trim() === "");

const isUrl = (value: unknown): boolean =>
  typeof value === "string" && parseAddress(value) !== undefined;

/** Throws 400 when the agents or the tools that an MCP server is to offer are no lists of ids. */
export const checkOffer = ({ parameters }: Pick<IntegrationContent, "parameters">): void => {
  const { error } = McpOffer.safeParse(parameters, { error: sayWrong });
  if (!error) return;
  throw validationFailed(
    error.issues.map(({ path, message }) => ({
      pointer: pointerOf(["parameters", ...path]),
      detail: message,
    })),
  );
};

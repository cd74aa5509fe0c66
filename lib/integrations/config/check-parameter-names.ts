import { a2aParameters } from "../../engine/tools/a2a/config-parameters.ts";
import { mcpParameters } from "../../engine/tools/mcp/config-parameters.ts";
import { openapiParameters } from "../../engine/tools/openapi/parameters.ts";
import { didYouMean } from "../../platform/http/nearest-name.ts";
import { validationFailed } from "../../platform/http/problems.ts";
import { toIssuePointer } from "../../platform/http/zod-error-map.ts";
import { integrations } from "../../vendors/registry/integrations.ts";
import { McpOffer } from "./mcp-offer.ts";

type Parameter = { readonly name: string; readonly secret: boolean };

const parametersByIntegration: ReadonlyMap<string, readonly Parameter[]> = new Map([
  ["system", []],
  ["openapi", openapiParameters],
  ["mcp", mcpParameters],
  ["a2a", a2aParameters],
  ...Object.entries(integrations).map(([id, { parameters }]): [string, readonly Parameter[]] => [
    id,
    parameters,
  ]),
]);

/**
 * Throws 400 for sent parameters that the integration does not have, or that are credentials. Those that the config
 * already has are accepted.
 */
export const checkParameterNames = (
  integrationId: string,
  sent: Readonly<Record<string, unknown>>,
  stored: Readonly<Record<string, unknown>> = {},
): void => {
  const parameters = parametersByIntegration.get(integrationId);
  if (!parameters) return;
  const secrets = parameters.filter(({ secret }) => secret).map(({ name }) => name);
  const settings = parameters.filter(({ secret }) => !secret).map(({ name }) => name);
  const known = [...settings, ...Object.keys(McpOffer.shape)];
  const errors = Object.keys(sent)
    .filter((name) => !known.includes(name) && !Object.hasOwn(stored, name))
    .map((name) => ({
      pointer: toIssuePointer(["parameters", name]),
      detail: secrets.includes(name)
        ? `is a credential: send it as /auth/parameters/${name}`
        : didYouMean(`is not a parameter of ${integrationId}`, name, known),
    }));
  if (errors.length > 0) throw validationFailed(errors);
};

import { type AllowedModels, allowsModel, notAllowed } from "../../engine/models/allowed-models.ts";
import type { ProviderSettings } from "../../engine/models/provider-settings.ts";
import { type ValidationIssue, validationFailed } from "../../platform/http/problems.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import { wrongUrl } from "../../platform/outgoing/wrong-url.ts";

type Checked = Pick<ProviderSettings, "type" | "baseUrl" | "region" | "defaultModel"> & {
  hasApiKey: boolean;
};

/** Provider settings that a deployment allows. */
export type ProviderRules = { outgoing: OutgoingOptions; bedrockModels: AllowedModels };

/** Throws 400 with every place at which a provider cannot work as it is set up. */
export const checkProvider = (
  provider: Checked,
  { outgoing, bedrockModels }: ProviderRules,
): void => {
  const errors = [
    ...checkBaseUrl(provider, outgoing),
    ...checkRegion(provider),
    ...checkApiKey(provider),
    ...checkModel(provider, bedrockModels),
  ];
  if (errors.length > 0) throw validationFailed(errors);
};

const checkBaseUrl = (
  { type, baseUrl, hasApiKey }: Checked,
  outgoing: OutgoingOptions,
): ValidationIssue[] => {
  const pointer = "/baseUrl";
  if (baseUrl === null) {
    if (type !== "openai-compatible") return [];
    return [
      { pointer, detail: "is required: an openai-compatible server has no address of its own" },
    ];
  }
  if (type === "bedrock" && !hasApiKey) {
    const detail = "requires an apiKey: the product's role signs calls to AWS only";
    return [{ pointer, detail }];
  }
  const detail = wrongUrl(baseUrl, outgoing, { mayHaveQuery: false });
  return detail === undefined ? [] : [{ pointer, detail }];
};

const checkRegion = ({ type, region }: Checked): ValidationIssue[] =>
  region === null || type === "bedrock"
    ? []
    : [{ pointer: "/region", detail: "only bedrock has a region" }];

const checkApiKey = ({ type, hasApiKey }: Checked): ValidationIssue[] =>
  hasApiKey || type === "openai-compatible" || type === "bedrock"
    ? []
    : [{ pointer: "/apiKey", detail: `is required for the type ${type}` }];

const checkModel = (
  { type, defaultModel }: Checked,
  bedrockModels: AllowedModels,
): ValidationIssue[] =>
  type !== "bedrock" || defaultModel === null || allowsModel(bedrockModels, defaultModel)
    ? []
    : [{ pointer: "/defaultModel", detail: notAllowed(defaultModel) }];

import type {
  CreateIntegrationConfigBody,
  Integration,
  IntegrationConfig,
} from "../../../client/openapi.ts";
import type { FormField, FormTexts } from "../shared/form-from-schema.tsx";
import { type OAuthForm, toOAuthForm, toSentOAuth } from "./oauth-form.ts";

/** The values of a config's form. */
export type ConfigForm = {
  displayName: string;
  settings: FormTexts;
  credentials: FormTexts;
  /** Credentials by names of the API's own, such as security schemes of an OpenAPI document. */
  otherCredentials: readonly CredentialEntry[];
  /** Undefined without OAuth 2. */
  oauth: OAuthForm | undefined;
  /** Tools that the config's MCP server offers. */
  offeredTools: string[];
  offeredAgents: string[];
};

/** A credential in the form. The key identifies its row. */
export type CredentialEntry = { key: string; name: string; value: string };

/** Returns the fields of the settings of an integration. */
export const settingFields = ({ parameters }: Integration): FormField[] =>
  parameters
    .filter(({ secret }) => !secret)
    .map((parameter) => ({
      ...parameter,
      ...(parameter.name === "document" && { uiHint: "Code" }),
    }));

/** Returns the fields of the credentials of an integration. */
export const credentialFields = ({ parameters }: Integration): FormField[] =>
  parameters.filter(({ secret }) => secret);

export const emptyConfigForm: ConfigForm = {
  displayName: "",
  settings: {},
  credentials: {},
  otherCredentials: [],
  oauth: undefined,
  offeredTools: [],
  offeredAgents: [],
};

const offerNames: readonly string[] = ["tools", "agents"];

const toText = (value: unknown): string => {
  if (typeof value === "string") return value;
  const isNames = Array.isArray(value) && value.every((item) => typeof item === "string");
  return isNames ? value.join(", ") : JSON.stringify(value);
};

const toStrings = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/**
 * Converts a config to the values of the form. Credentials are masked; sending a mask keeps the
 * stored value.
 */
export const toConfigForm = (config: IntegrationConfig, integration: Integration): ConfigForm => {
  const known = new Set(credentialFields(integration).map(({ name }) => name));
  const stored = Object.entries(config.auth?.parameters ?? {});
  const settings = Object.entries(config.parameters).filter(([name]) => !offerNames.includes(name));
  return {
    displayName: config.displayName,
    settings: Object.fromEntries(settings.map(([name, value]) => [name, toText(value)])),
    credentials: Object.fromEntries(stored.filter(([name]) => known.has(name))),
    otherCredentials: stored
      .filter(([name]) => !known.has(name))
      .map(([name, value], index) => ({ key: String(index), name, value })),
    oauth: toOAuthForm(config.auth),
    offeredTools: toStrings(config.parameters.tools),
    offeredAgents: toStrings(config.parameters.agents),
  };
};

const withoutEmpty = (texts: FormTexts): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ""));

type ConfigContent = Required<Pick<CreateIntegrationConfigBody, "parameters" | "auth">>;

/** Converts the values of the form to settings and credentials of a request. */
export const toConfigContent = (form: ConfigForm): ConfigContent => ({
  parameters: {
    ...withoutEmpty(form.settings),
    ...(form.offeredTools.length > 0 && { tools: form.offeredTools }),
    ...(form.offeredAgents.length > 0 && { agents: form.offeredAgents }),
  },
  auth: {
    ...toSentOAuth(form.oauth),
    parameters: withoutEmpty({
      ...form.credentials,
      ...Object.fromEntries(
        form.otherCredentials
          .filter(({ name }) => name !== "")
          .map(({ name, value }) => [name, value]),
      ),
    }),
  },
});

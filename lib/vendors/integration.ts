/** A setting or credential of a config. */
export type IntegrationParameter = {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  readonly required: boolean;
  /** Whether it is a credential. */
  readonly secret: boolean;
};

/** The integration of a vendor that registers webhooks; its configs hold the credentials. */
export type IntegrationDefinition = {
  readonly displayName: string;
  readonly description: string;
  readonly parameters: readonly IntegrationParameter[];
};

/** Defines an optional setting. */
export const integrationSetting = (
  name: string,
  displayName: string,
  description: string,
): IntegrationParameter => ({ name, displayName, description, required: false, secret: false });

/** Defines a credential. */
export const credential = (
  name: string,
  displayName: string,
  description: string,
  required = false,
): IntegrationParameter => ({
  ...integrationSetting(name, displayName, description),
  required,
  secret: true,
});

/** Defines the base URL of a self-hosted installation. */
export const baseUrl = (example: string): IntegrationParameter =>
  integrationSetting(
    "baseUrl",
    "Base URL",
    `Base URL of a self-hosted installation, such as ${example}.`,
  );

/** Access token of an OAuth 2.0 app. */
export const accessTokenParameter = credential(
  "accessToken",
  "Access token",
  "Access token of an OAuth 2.0 app.",
);

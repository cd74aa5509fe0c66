import {
  addressSetting,
  secretNameSetting,
  textSetting,
  type VendorSettings,
} from "../vendor-settings.ts";

/** Settings of a deployment for Google Drive. */
export const settings = {
  GOOGLE_CLIENT_ID: textSetting("OAuth client ID of the Google Drive refresh tokens."),
  GOOGLE_CLIENT_SECRET: textSetting("Secret of that OAuth client, for the local stack alone."),
  GOOGLE_CLIENT_SECRET_NAME: secretNameSetting(
    "Name of the secret of Secrets Manager that contains that client's secret, on AWS.",
  ),
  SOURCE_URL_GOOGLE_DRIVE: addressSetting(
    "Base URL of the Google Drive API; by default Google's own.",
  ),
  SOURCE_URL_GOOGLE_TOKEN: addressSetting(
    "URL of the Google token endpoint; by default Google's own.",
  ),
} satisfies VendorSettings;

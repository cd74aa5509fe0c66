import { addressSetting, type VendorSettings } from "../vendor-settings.ts";

/** Settings of a deployment for GitHub. */
export const settings = {
  SOURCE_URL_GITHUB: addressSetting("Base URL of the GitHub API; by default GitHub's own."),
} satisfies VendorSettings;

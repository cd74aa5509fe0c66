import { textSetting, type VendorSettings } from "../vendor-settings.ts";

/** Settings of a deployment for Zendesk. */
export const settings = {
  SOURCE_URL_ZENDESK: textSetting(
    "Base URL of the Zendesk API, with a {subdomain} placeholder; by default Zendesk's own.",
  ),
} satisfies VendorSettings;

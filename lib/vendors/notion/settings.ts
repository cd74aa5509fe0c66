import { addressSetting, type VendorSettings } from "../vendor-settings.ts";

/** Settings of a deployment for Notion. */
export const settings = {
  SOURCE_URL_NOTION: addressSetting("Base URL of the Notion API; by default Notion's own."),
} satisfies VendorSettings;

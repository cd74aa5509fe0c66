// Written by `npm run vendors` from ../vendors.ts and the folders of the vendors.
import { settings as github } from "../github/settings.ts";
import { settings as googleDrive } from "../google-drive/settings.ts";
import { settings as notion } from "../notion/settings.ts";
import { settings as zendesk } from "../zendesk/settings.ts";

/** Settings of a deployment by variable. */
export const vendorSettings = {
  ...github,
  ...zendesk,
  ...notion,
  ...googleDrive,
};

// Written by `npm run vendors` from ../vendors.ts and the folders of the vendors.
import { createSource as confluence } from "../confluence/source.ts";
import { createSource as github } from "../github/source.ts";
import { createSource as googleDrive } from "../google-drive/source.ts";
import { createSource as jira } from "../jira/source.ts";
import { createSource as notion } from "../notion/source.ts";
import { createSource as zendesk } from "../zendesk/source.ts";

/** Functions that create sources by vendor. */
export const sources = {
  github,
  jira,
  zendesk,
  notion,
  "google-drive": googleDrive,
  confluence,
};

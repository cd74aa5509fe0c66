// Written by `npm run vendors` from ../vendors.ts and the folders of the vendors.
import { integration as github } from "../github/integration.ts";
import { integration as gitlab } from "../gitlab/integration.ts";
import { integration as jira } from "../jira/integration.ts";
import { integration as linear } from "../linear/integration.ts";
import { integration as telegram } from "../telegram/integration.ts";

/** Integrations by vendor. */
export const integrations = {
  github,
  gitlab,
  jira,
  telegram,
  linear,
};

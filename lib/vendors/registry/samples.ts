// Written by `npm run vendors` from ../vendors.ts and the folders of the vendors.
import { sample as discord } from "../discord/sample.ts";
import { sample as generic } from "../generic/sample.ts";
import { sample as github } from "../github/sample.ts";
import { sample as gitlab } from "../gitlab/sample.ts";
import { sample as jira } from "../jira/sample.ts";
import { sample as linear } from "../linear/sample.ts";
import { sample as meta } from "../meta/sample.ts";
import { sample as notion } from "../notion/sample.ts";
import { sample as shopify } from "../shopify/sample.ts";
import { sample as slack } from "../slack/sample.ts";
import { sample as standard } from "../standard/sample.ts";
import { sample as stripe } from "../stripe/sample.ts";
import { sample as teams } from "../teams/sample.ts";
import { sample as telegram } from "../telegram/sample.ts";
import { sample as zendesk } from "../zendesk/sample.ts";
import { sample as zoom } from "../zoom/sample.ts";

/** Samples of webhook deliveries by vendor. */
export const samples = {
  github,
  gitlab,
  slack,
  jira,
  zendesk,
  notion,
  stripe,
  shopify,
  teams,
  zoom,
  telegram,
  discord,
  meta,
  linear,
  standard,
  generic,
};

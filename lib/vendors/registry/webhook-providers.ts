// Written by `npm run vendors` from ../vendors.ts and the folders of the vendors.
import { webhook as discord } from "../discord/webhook.ts";
import { webhook as generic } from "../generic/webhook.ts";
import { webhook as github } from "../github/webhook.ts";
import { webhook as gitlab } from "../gitlab/webhook.ts";
import { webhook as jira } from "../jira/webhook.ts";
import { webhook as linear } from "../linear/webhook.ts";
import { webhook as meta } from "../meta/webhook.ts";
import { webhook as notion } from "../notion/webhook.ts";
import { webhook as shopify } from "../shopify/webhook.ts";
import { webhook as slack } from "../slack/webhook.ts";
import { webhook as standard } from "../standard/webhook.ts";
import { webhook as stripe } from "../stripe/webhook.ts";
import { webhook as teams } from "../teams/webhook.ts";
import { webhook as telegram } from "../telegram/webhook.ts";
import { webhook as zendesk } from "../zendesk/webhook.ts";
import { webhook as zoom } from "../zoom/webhook.ts";

/** Webhook providers by vendor. */
export const webhookProviders = {
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

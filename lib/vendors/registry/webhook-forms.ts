// Written by `npm run vendors` from ../vendors.ts and the folders of the vendors.
import { webhookForm as discord } from "../discord/webhook-form.ts";
import { webhookForm as generic } from "../generic/webhook-form.ts";
import { webhookForm as github } from "../github/webhook-form.ts";
import { webhookForm as gitlab } from "../gitlab/webhook-form.ts";
import { webhookForm as jira } from "../jira/webhook-form.ts";
import { webhookForm as linear } from "../linear/webhook-form.ts";
import { webhookForm as meta } from "../meta/webhook-form.ts";
import { webhookForm as notion } from "../notion/webhook-form.ts";
import { webhookForm as shopify } from "../shopify/webhook-form.ts";
import { webhookForm as slack } from "../slack/webhook-form.ts";
import { webhookForm as standard } from "../standard/webhook-form.ts";
import { webhookForm as stripe } from "../stripe/webhook-form.ts";
import { webhookForm as teams } from "../teams/webhook-form.ts";
import { webhookForm as telegram } from "../telegram/webhook-form.ts";
import { webhookForm as zendesk } from "../zendesk/webhook-form.ts";
import { webhookForm as zoom } from "../zoom/webhook-form.ts";

/** Forms of webhooks by vendor. */
export const webhookForms = {
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

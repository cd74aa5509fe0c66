// Written by `npm run vendors` from ../vendors.ts and the folders of the vendors.
import { eventTypes as discord } from "../discord/event-types.ts";
import { eventTypes as github } from "../github/event-types.ts";
import { eventTypes as gitlab } from "../gitlab/event-types.ts";
import { eventTypes as jira } from "../jira/event-types.ts";
import { eventTypes as linear } from "../linear/event-types.ts";
import { eventTypes as notion } from "../notion/event-types.ts";
import { eventTypes as shopify } from "../shopify/event-types.ts";
import { eventTypes as slack } from "../slack/event-types.ts";
import { eventTypes as stripe } from "../stripe/event-types.ts";
import { eventTypes as telegram } from "../telegram/event-types.ts";
import { eventTypes as zendesk } from "../zendesk/event-types.ts";
import { eventTypes as zoom } from "../zoom/event-types.ts";

/** Event types by vendor. */
export const eventTypes = {
  github,
  gitlab,
  slack,
  jira,
  zendesk,
  notion,
  stripe,
  shopify,
  zoom,
  telegram,
  discord,
  linear,
};

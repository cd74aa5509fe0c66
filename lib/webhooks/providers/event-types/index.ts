import { discord } from "./discord.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { jira } from "./jira.ts";
import { linear } from "./linear.ts";
import { notion } from "./notion.ts";
import { shopify } from "./shopify.ts";
import { slack } from "./slack.ts";
import { stripe } from "./stripe.ts";
import { telegram } from "./telegram.ts";
import { zendesk } from "./zendesk.ts";
import { zoom } from "./zoom.ts";

/** Event types of a provider; where the list may not be complete, others are accepted. */
type EventTypes = { readonly names: readonly string[]; readonly isComplete: boolean };

const toPartialTypes = (names: readonly string[]): EventTypes => ({ names, isComplete: false });

const byProvider: ReadonlyMap<string, EventTypes> = new Map([
  ["github", { names: github, isComplete: true }],
  ["gitlab", toPartialTypes(gitlab)],
  ["slack", toPartialTypes(slack)],
  ["jira", toPartialTypes(jira)],
  ["zendesk", toPartialTypes(zendesk)],
  ["notion", toPartialTypes(notion)],
  ["stripe", toPartialTypes(stripe)],
  ["linear", toPartialTypes(linear)],
  ["shopify", toPartialTypes(shopify)],
  ["zoom", toPartialTypes(zoom)],
  ["telegram", toPartialTypes(telegram)],
  ["discord", toPartialTypes(discord)],
]);

/** Returns the event types of a provider; undefined for one that has its senders' own. */
export const findEventTypes = (providerId: string): EventTypes | undefined =>
  byProvider.get(providerId);

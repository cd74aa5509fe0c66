import { discordSample } from "./discord.ts";
import { genericSample } from "./generic.ts";
import { githubSample } from "./github.ts";
import { gitlabSample } from "./gitlab.ts";
import { jiraSample } from "./jira.ts";
import { linearSample } from "./linear.ts";
import { metaSample } from "./meta.ts";
import { notionSample } from "./notion.ts";
import { shopifySample } from "./shopify.ts";
import { slackSample } from "./slack.ts";
import { standardSample } from "./standard.ts";
import { stripeSample } from "./stripe.ts";
import { teamsSample } from "./teams.ts";
import { telegramSample } from "./telegram.ts";
import type { WebhookSample } from "./webhook-sample.ts";
import { zendeskSample } from "./zendesk.ts";
import { zoomSample } from "./zoom.ts";

/** Samples by the provider's id. */
export const webhookSamples: ReadonlyMap<string, WebhookSample> = new Map([
  ["github", githubSample],
  ["gitlab", gitlabSample],
  ["slack", slackSample],
  ["jira", jiraSample],
  ["zendesk", zendeskSample],
  ["notion", notionSample],
  ["stripe", stripeSample],
  ["linear", linearSample],
  ["shopify", shopifySample],
  ["teams", teamsSample],
  ["zoom", zoomSample],
  ["meta", metaSample],
  ["telegram", telegramSample],
  ["discord", discordSample],
  ["standard", standardSample],
  ["generic", genericSample],
]);

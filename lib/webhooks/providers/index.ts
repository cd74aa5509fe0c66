import { discord } from "./discord.ts";
import { generic } from "./generic.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { jira } from "./jira.ts";
import { linear } from "./linear.ts";
import { meta } from "./meta.ts";
import { notion } from "./notion.ts";
import type { WebhookProvider } from "./provider.ts";
import { shopify } from "./shopify.ts";
import { slack } from "./slack.ts";
import { standard } from "./standard.ts";
import { stripe } from "./stripe.ts";
import { teams } from "./teams.ts";
import { telegram } from "./telegram.ts";
import { zendesk } from "./zendesk.ts";
import { zoom } from "./zoom.ts";

const providers: readonly WebhookProvider[] = [
  github,
  gitlab,
  slack,
  jira,
  zendesk,
  notion,
  stripe,
  linear,
  shopify,
  teams,
  zoom,
  meta,
  telegram,
  discord,
  standard,
  generic,
];

const byId: ReadonlyMap<string, WebhookProvider> = new Map(
  providers.map((provider) => [provider.id, provider]),
);

/** The ids of all providers. */
export const webhookProviderIds: readonly string[] = [...byId.keys()];

/** Returns a provider by id. */
export const findWebhookProvider = (id: string): WebhookProvider | undefined => byId.get(id);

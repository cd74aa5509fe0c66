/** A provider of webhooks. */
export type WebhookProvider = {
  id: string;
  label: string;
  /** Where the provider shows the secret that it issues; undefined if the service creates it. */
  issuesSecretAt?: string;
};

/** The providers, in the order in which they are offered. */
export const webhookProviders: readonly WebhookProvider[] = [
  { id: "github", label: "GitHub" },
  { id: "gitlab", label: "GitLab" },
  { id: "slack", label: "Slack", issuesSecretAt: "Basic Information, Signing Secret" },
  { id: "jira", label: "Jira" },
  { id: "zendesk", label: "Zendesk", issuesSecretAt: "Show signing secret" },
  { id: "notion", label: "Notion", issuesSecretAt: "the first request that Notion sends" },
  { id: "stripe", label: "Stripe", issuesSecretAt: "Workbench, Webhooks (whsec_…)" },
  { id: "linear", label: "Linear", issuesSecretAt: "the webhook's Signing secret" },
  { id: "shopify", label: "Shopify", issuesSecretAt: "the app's client secret" },
  { id: "teams", label: "Microsoft Teams (Graph)" },
  { id: "zoom", label: "Zoom", issuesSecretAt: "the app's Secret Token" },
  { id: "meta", label: "Meta", issuesSecretAt: "App secret, a colon, and a verify token" },
  { id: "telegram", label: "Telegram" },
  { id: "discord", label: "Discord", issuesSecretAt: "the application's Public Key" },
  { id: "standard", label: "Standard Webhooks" },
  { id: "generic", label: "Generic" },
];

/** Returns the name of a provider. */
export const providerLabel = (provider: string): string =>
  webhookProviders.find(({ id }) => id === provider)?.label ?? provider;

/** Event types that have a sample, by vendor, the most common first. Browsers cannot import the samples. */
export const sampleEventTypes: Readonly<Record<string, readonly string[]>> = {
  github: ["push", "issues", "pull_request", "ping"],
  gitlab: ["push", "merge_request"],
  slack: ["app_mention", "/hello", "block_actions", "url_verification"],
  jira: ["jira:issue_created"],
  zendesk: ["zen:event-type:ticket.created"],
  notion: ["page.content_updated"],
  stripe: ["invoice.paid"],
  shopify: ["orders/create"],
  teams: ["created", "message"],
  zoom: ["meeting.started", "endpoint.url_validation"],
  telegram: ["message"],
  discord: ["APPLICATION_COMMAND", "APPLICATION_AUTHORIZED", "PING"],
  meta: ["whatsapp_business_account.messages"],
  linear: ["Issue"],
  standard: ["user.created"],
  generic: ["hello"],
};

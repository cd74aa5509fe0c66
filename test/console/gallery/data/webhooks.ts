import { unwrapBody } from "../../../../client/client.ts";
import type { DemoContext } from "./demo.ts";

const issue = (number: number, title: string, action: string) => ({
  action,
  issue: {
    number,
    title,
    html_url: `https://github.com/acme/app/issues/${number}`,
    user: { login: "ada" },
    labels: [{ name: "bug" }, { name: "checkout" }],
  },
  repository: { full_name: "acme/app" },
});

const deliveries = [
  { event: "issues", body: issue(418, "The checkout shows the wrong total", "opened") },
  { event: "issues", body: issue(417, "The logo is blurred on large screens", "closed") },
  { event: "issues", body: issue(416, "", "opened") },
  { event: "push", body: { ref: "refs/heads/main", repository: { full_name: "acme/app" } } },
  { event: "issues", body: issue(419, "Nobody can log in", "opened") },
];

/** Creates webhooks of several providers with subscriptions, and sends deliveries to one. */
export const createWebhooks = async ({ client, path }: DemoContext, key: string) => {
  const params = { path };
  const webhook = await unwrapBody(
    client.POST("/v1/tenants/{tenant}/webhooks", {
      params,
      body: { provider: "generic", externalContext: "acme/app" },
    }),
  );
  for (const body of [
    { provider: "github", externalContext: "acme/website" },
    { provider: "stripe", externalContext: "Payments", filter: "payload.livemode" },
    { provider: "slack" },
  ]) {
    await client.POST("/v1/tenants/{tenant}/webhooks", { params, body });
  }
  const subscribe = (body: {
    subscriberId: string;
    eventTypes?: string[];
    filter?: string;
    input?: Record<string, string>;
  }) =>
    client.POST("/v1/tenants/{tenant}/webhooks/{webhook}/subscriptions", {
      params: { path: { ...path, webhook: webhook.id } },
      body: { subscriberType: "Agent", ...body },
    });
  await subscribe({
    subscriberId: "issue-triage",
    eventTypes: ["issues"],
    filter: "payload.action = 'opened' and $not('bot' in payload.issue.labels.name)",
    input: { title: "{% payload.issue.title %}", url: "{% payload.issue.html_url %}" },
  });
  await subscribe({ subscriberId: "hello", input: { name: "{% eventType %}" } });

  for (const { event, body } of deliveries) {
    await fetch(`${webhook.webhookUrl}/${key}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Event-Type": event },
      body: JSON.stringify(body),
    });
  }
  const list = () =>
    unwrapBody(
      client.GET("/v1/tenants/{tenant}/webhooks/{webhook}/deliveries", {
        params: { path: { ...path, webhook: webhook.id } },
      }),
    );
  let found = await list();
  while (
    found.items.length < deliveries.length ||
    found.items.some(({ results }) => results.some(({ status }) => status === "Pending"))
  ) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    found = await list();
  }
  return { webhook: webhook.id, delivery: found.items[0]?.id ?? "" };
};

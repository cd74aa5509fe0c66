import { unwrapBody } from "../../../../client/client.ts";
import type { DemoContext } from "./demo.ts";

const people = [
  { id: "U01", name: "Ada Lovelace", text: "Could you look at my last invoice?" },
  { id: "U02", name: "Grace Hopper", text: "Which plan includes single sign-on?" },
  { id: "U03", name: "Katherine Johnson", text: "Hello" },
  { id: "U04", name: "Linus", text: "I need the numbers of last month, please." },
  { id: "U05", name: "Margaret Hamilton", text: "Is the import still running?" },
];

/** Creates connectors, and people who write to one of them: pending, approved and rejected. */
export const createChats = async ({ client, path }: DemoContext, key: string) => {
  const at = { params: { path: { ...path, agent: "support" } } };
  const connectors = "/v1/tenants/{tenant}/agents/{agent}/connectors";
  const chat = await unwrapBody(
    client.POST(connectors, {
      ...at,
      body: {
        provider: "generic",
        name: "Chat on our website",
        parameters: { replyUrl: "https://chat.example.com/replies" },
        policy: "RequireApproval",
        onBoardingMessage: "Thank you. Somebody will let you in soon.",
      },
    }),
  );
  await client.POST(connectors, {
    ...at,
    body: {
      provider: "slack",
      name: "Slack of the support team",
      parameters: { botToken: "xoxb-REPLACE-ME" },
      policy: "AllowAll",
    },
  });
  await client.POST(connectors, {
    ...at,
    body: {
      provider: "telegram",
      name: "Telegram",
      parameters: { botToken: "1:REPLACE-ME" },
      active: false,
    },
  });
  for (const { id, name, text } of people) {
    await fetch(`${chat.webhookUrl}/${key}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        id: `m-${id}`,
        user: { id, name },
        conversation: { id: `C-${id}`, name: "Website" },
        text,
      }),
    });
  }
  const requests = "/v1/tenants/{tenant}/agents/{agent}/chatUserAccessRequests";
  const list = () => unwrapBody(client.GET(requests, at));
  let found = await list();
  while (found.items.length < people.length) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    found = await list();
  }
  const [first, second] = found.items;
  const decided = (accessRequest = "") => ({
    params: { path: { ...at.params.path, accessRequest } },
  });
  await client.POST(`${requests}/{accessRequest}:approve`, {
    ...decided(first?.id),
    body: { note: "Works in support." },
  });
  await client.POST(`${requests}/{accessRequest}:reject`, {
    ...decided(second?.id),
    body: { note: "Not a customer." },
  });
  return { connector: chat.id };
};

import { bodyOf } from "../../../client/client.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printFields, printJson, printMessage } from "../../output.ts";
import { readText } from "../../read-text.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & {
  provider: string;
  agent: string | undefined;
  filter: string | undefined;
  signingSecretFile: string | undefined;
};

/** Runs `wharf webhooks create`. */
export const createWebhook = async (input: Input, io: Io): Promise<void> => {
  const { provider, agent, filter } = input;
  const signingSecret = await readSecret(input.signingSecretFile, io);
  const { client, tenant } = await openSession(input, io);
  const webhook = await bodyOf(
    client.POST("/v1/tenants/{tenant}/webhooks", {
      params: { path: { tenant } },
      body: { provider, ...(filter && { filter }), ...(signingSecret && { signingSecret }) },
    }),
  );
  if (input.json) printJson(io, webhook);
  else {
    printFields(io, [
      ["ID", webhook.id],
      ["URL", webhook.webhookUrl],
      ["Signing secret", webhook.signingSecret ?? "none; append an API key to the URL"],
    ]);
  }
  if (agent === undefined) return;
  await client.POST("/v1/tenants/{tenant}/webhooks/{webhook}/subscriptions", {
    params: { path: { tenant, webhook: webhook.id } },
    body: { subscriberType: "Agent", subscriberId: agent },
  });
  printMessage(io, `Subscribed agent ${agent}.`);
};

const readSecret = async (file: string | undefined, io: Io): Promise<string | undefined> =>
  file === undefined ? undefined : (await readText(file, io)).trim();

import { unwrapBody } from "../../../client/client.ts";
import { ProblemError } from "../../../client/problem-error.ts";
import type { GlobalInput } from "../../command.ts";
import { exitCodes, usage, WharfError } from "../../exit.ts";
import type { Io } from "../../io.ts";
import { printFields, printJson, printMessage } from "../../output.ts";
import { readSecret } from "../../read-secret.ts";
import { openSession, type Session } from "../../session.ts";
import {
  explainInputs,
  hasSubscription,
  readSubscription,
  type SubscriptionInput,
  subscribeAgent,
} from "../../webhooks/subscription.ts";

type Input = GlobalInput &
  SubscriptionInput & {
    provider: string;
    agent: string | undefined;
    providerFilter: string | undefined;
    signingSecretFile: string | undefined;
    signingSecretEnv: string | undefined;
  };

/** Runs `wharf webhooks create`. What can be wrong is checked before the webhook exists. */
export const createWebhook = async (input: Input, io: Io): Promise<void> => {
  const { provider, agent, providerFilter, signingSecretFile: file } = input;
  if (agent === undefined && hasSubscription(input)) {
    throw usage("--filter, --event-type, --input and --input-file require --agent.");
  }
  const given = await readSubscription(input, io);
  const source = { name: "signing-secret", file, variable: input.signingSecretEnv };
  const signingSecret = await readSecret(source, io);
  const session = await openSession(input, io);
  const { client, tenant } = session;
  if (agent !== undefined) await requireAgent(session, agent);
  const webhook = await unwrapBody(
    client.POST("/v1/tenants/{tenant}/webhooks", {
      params: { path: { tenant } },
      body: {
        provider,
        ...(providerFilter !== undefined && { filter: providerFilter }),
        ...(signingSecret && { signingSecret }),
      },
    }),
  );
  const subscription =
    agent === undefined
      ? undefined
      : await subscribeAgent(session, { webhook: webhook.id, agent }, given).catch(
          (error: unknown) => removeAgain(session, webhook.id, error, io),
        );
  if (input.json) return printJson(io, { ...webhook, ...(subscription && { subscription }) });
  printFields(io, [
    ["ID", webhook.id],
    ["URL", webhook.webhookUrl],
    ["Signing secret", webhook.signingSecret ?? "none; append an API key to the URL"],
  ]);
  if (subscription) printMessage(io, `Subscribed agent ${agent}.`);
};

/** Throws for an agent that does not exist. Credentials that may not read agents may still subscribe one. */
const requireAgent = async ({ client, tenant }: Session, agent: string): Promise<void> => {
  try {
    const path = { tenant, agent };
    await unwrapBody(client.GET("/v1/tenants/{tenant}/agents/{agent}", { params: { path } }));
  } catch (error) {
    const slug = error instanceof ProblemError ? error.slug : undefined;
    if (slug === "insufficient-scope") return;
    if (slug !== "not-found") throw error;
    const message = `There is no agent ${JSON.stringify(agent)}. No webhook was created.`;
    throw new WharfError(exitCodes.notFound, message);
  }
};

/** Removes a webhook after subscribing the agent failed, and throws the reason. */
const removeAgain = async (
  { client, tenant }: Session,
  webhook: string,
  reason: unknown,
  io: Io,
): Promise<never> => {
  const path = { tenant, webhook };
  const removed = await client
    .DELETE("/v1/tenants/{tenant}/webhooks/{webhook}", { params: { path } })
    .then(
      () => true,
      () => false,
    );
  printMessage(
    io,
    removed
      ? "wharf: The agent could not be subscribed, so the webhook was removed again."
      : `wharf: The agent could not be subscribed, and the webhook ${webhook} could not be removed. Remove it with wharf webhooks delete ${webhook}`,
  );
  const hint = explainInputs(reason);
  if (hint !== undefined) printMessage(io, `wharf: ${hint}`);
  throw reason;
};

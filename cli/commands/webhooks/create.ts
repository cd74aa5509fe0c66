import { unwrapBody } from "../../../client/client.ts";
import type { WebhookSubscription } from "../../../client/openapi.ts";
import { ProblemError } from "../../../client/problem-error.ts";
import type { GlobalInput } from "../../command.ts";
import { exitCodes, usage, WharfError } from "../../exit.ts";
import type { Io } from "../../io.ts";
import { printFields, printJson, printMessage } from "../../output.ts";
import { readText } from "../../read-text.ts";
import { openSession, type Session } from "../../session.ts";
import { checkFilter } from "../../webhooks/check-filter.ts";

type Input = GlobalInput & {
  provider: string;
  agent: string | undefined;
  filter: string | undefined;
  eventType: readonly string[];
  providerFilter: string | undefined;
  signingSecretFile: string | undefined;
};

/** Runs `wharf webhooks create`. What can be wrong is checked before the webhook exists. */
export const createWebhook = async (input: Input, io: Io): Promise<void> => {
  const { provider, agent, filter, eventType, providerFilter } = input;
  if (agent === undefined && (filter !== undefined || eventType.length > 0)) {
    throw usage("--filter and --event-type need --agent: they say which deliveries run it.");
  }
  if (filter !== undefined) await checkFilter(filter);
  const signingSecret = await readSecret(input.signingSecretFile, io);
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
      : await subscribe(session, webhook.id, { agent, filter, eventType }).catch((error: unknown) =>
          removeAgain(session, webhook.id, error, io),
        );
  if (input.json) return printJson(io, { ...webhook, ...(subscription && { subscription }) });
  printFields(io, [
    ["ID", webhook.id],
    ["URL", webhook.webhookUrl],
    ["Signing secret", webhook.signingSecret ?? "none; append an API key to the URL"],
  ]);
  if (subscription) printMessage(io, `Subscribed agent ${agent}.`);
};

const readSecret = async (file: string | undefined, io: Io): Promise<string | undefined> =>
  file === undefined ? undefined : (await readText(file, io)).trim();

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

type Wanted = { agent: string; filter: string | undefined; eventType: readonly string[] };

const subscribe = (
  { client, tenant }: Session,
  webhook: string,
  { agent, filter, eventType }: Wanted,
): Promise<WebhookSubscription> =>
  unwrapBody(
    client.POST("/v1/tenants/{tenant}/webhooks/{webhook}/subscriptions", {
      params: { path: { tenant, webhook } },
      body: {
        subscriberType: "Agent",
        subscriberId: agent,
        ...(filter !== undefined && { filter }),
        ...(eventType.length > 0 && { eventTypes: [...eventType] }),
      },
    }),
  );

/** Removes a webhook whose agent could not be subscribed, and throws the reason. */
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
      : `wharf: The agent could not be subscribed, and the webhook ${webhook} could not be removed: delete it in the console.`,
  );
  throw reason;
};

import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { openSession } from "../../session.ts";
import {
  explainInputs,
  readSubscription,
  type SubscriptionInput,
  subscribeAgent,
} from "../../webhooks/subscription.ts";

type Input = GlobalInput & SubscriptionInput & { webhook: string; agent: string };

/** Runs `wharf webhooks subscribe`. */
export const subscribeToWebhook = async (input: Input, io: Io): Promise<void> => {
  const given = await readSubscription(input, io);
  const session = await openSession(input, io);
  const subscription = await subscribeAgent(session, input, given).catch((error: unknown) => {
    const hint = explainInputs(error);
    if (hint !== undefined) printMessage(io, `wharf: ${hint}`);
    throw error;
  });
  if (input.json) printJson(io, subscription);
  else printMessage(io, `Subscribed agent ${input.agent}: subscription ${subscription.id}.`);
};

import type { GlobalInput } from "../../command.ts";
import { failed } from "../../exit.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { confirmUnless } from "../../prompt.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { webhook: string; yes: boolean };

/** Runs `wharf webhooks delete`. */
export const deleteWebhook = async (input: Input, io: Io): Promise<void> => {
  const { webhook: id } = input;
  const { client, tenant, connection } = await openSession(input, io);
  const question = `Delete webhook ${id} of ${tenant} at ${connection.url} with its subscriptions and deliveries? This cannot be undone.`;
  if (!(await confirmUnless(input.yes, question, io))) throw failed("The webhook was not deleted.");
  await client.DELETE("/v1/tenants/{tenant}/webhooks/{webhook}", {
    params: { path: { tenant, webhook: id } },
  });
  if (input.json) printJson(io, { id, deleted: true });
  else printMessage(io, `Deleted ${id}.`);
};

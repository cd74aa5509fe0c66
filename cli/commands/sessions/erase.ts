import type { GlobalInput } from "../../command.ts";
import { failed } from "../../exit.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { printableText } from "../../printable.ts";
import { confirmUnless } from "../../prompt.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { agent: string; endUser: string; yes: boolean };

/** Runs `wharf sessions erase`. */
export const eraseSessions = async (input: Input, io: Io): Promise<void> => {
  const { agent, endUser: endUserId } = input;
  const { client, tenant } = await openSession(input, io);
  const shown = printableText(endUserId);
  const question = `Delete all sessions of ${shown} with ${agent}, and the memories taken in them? This cannot be undone.`;
  if (!(await confirmUnless(input.yes, question, io))) throw failed("Nothing was deleted.");
  await client.DELETE("/v1/tenants/{tenant}/agents/{agent}/sessions", {
    params: { path: { tenant, agent }, query: { endUserId } },
  });
  if (input.json) printJson(io, { endUserId, deleted: true });
  else printMessage(io, `Deleted the sessions of ${shown}.`);
};

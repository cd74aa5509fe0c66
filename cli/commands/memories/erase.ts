import type { GlobalInput } from "../../command.ts";
import { failed } from "../../exit.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { printableText } from "../../printable.ts";
import { confirmUnless } from "../../prompt.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { agent: string; namespace: string; yes: boolean };

/** Runs `wharf memories erase`. */
export const eraseMemories = async (input: Input, io: Io): Promise<void> => {
  const { agent, namespace } = input;
  const { client, tenant } = await openSession(input, io);
  const shown = printableText(namespace);
  const question = `Delete all memories of ${shown} that ${agent} has? This cannot be undone.`;
  if (!(await confirmUnless(input.yes, question, io))) throw failed("Nothing was deleted.");
  await client.DELETE("/v1/tenants/{tenant}/agents/{agent}/memories", {
    params: { path: { tenant, agent }, query: { namespace } },
  });
  if (input.json) printJson(io, { namespace, deleted: true });
  else printMessage(io, `Deleted the memories of ${shown}.`);
};

import type { GlobalInput } from "../../command.ts";
import { failed } from "../../exit.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { confirmUnless } from "../../prompt.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { agent: string; yes: boolean };

/** Runs `wharf agents delete`. */
export const deleteAgent = async (input: Input, io: Io): Promise<void> => {
  const { agent: id } = input;
  const { client, tenant, connection } = await openSession(input, io);
  const question = `Delete agent ${id} of ${tenant} at ${connection.url} with its revisions and executions? This cannot be undone.`;
  if (!(await confirmUnless(input.yes, question, io))) throw failed("The agent was not deleted.");
  await client.DELETE("/v1/tenants/{tenant}/agents/{agent}", {
    params: { path: { tenant, agent: id } },
  });
  if (input.json) printJson(io, { id, deleted: true });
  else printMessage(io, `Deleted ${id}.`);
};

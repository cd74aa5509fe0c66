import type { GlobalInput } from "../../command.ts";
import { failed } from "../../exit.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { confirmUnless } from "../../prompt.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { agent: string; session: string; yes: boolean };

/** Runs `wharf sessions delete`. */
export const deleteSession = async (input: Input, io: Io): Promise<void> => {
  const { agent, session: id } = input;
  const { client, tenant } = await openSession(input, io);
  const question = `Delete session ${id} of ${agent} with its messages? This cannot be undone.`;
  if (!(await confirmUnless(input.yes, question, io))) throw failed("The session was not deleted.");
  await client.DELETE("/v1/tenants/{tenant}/agents/{agent}/sessions/{session}", {
    params: { path: { tenant, agent, session: id } },
  });
  if (input.json) printJson(io, { id, deleted: true });
  else printMessage(io, `Deleted ${id}.`);
};

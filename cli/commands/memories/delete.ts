import type { GlobalInput } from "../../command.ts";
import { failed } from "../../exit.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { confirmUnless } from "../../prompt.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { agent: string; memory: string; yes: boolean };

/** Runs `wharf memories delete`. */
export const deleteMemory = async (input: Input, io: Io): Promise<void> => {
  const { agent, memory } = input;
  const { client, tenant } = await openSession(input, io);
  const question = `Delete memory ${memory} of ${agent}? This cannot be undone.`;
  if (!(await confirmUnless(input.yes, question, io))) throw failed("The memory was not deleted.");
  await client.DELETE("/v1/tenants/{tenant}/agents/{agent}/memories/{memory}", {
    params: { path: { tenant, agent, memory } },
  });
  if (input.json) printJson(io, { id: memory, deleted: true });
  else printMessage(io, `Deleted ${memory}.`);
};

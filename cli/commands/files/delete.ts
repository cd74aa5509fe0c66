import type { GlobalInput } from "../../command.ts";
import { failed } from "../../exit.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { confirmUnless } from "../../prompt.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { id: string; yes: boolean };

/** Runs `wharf files delete`. */
export const deleteFile = async (input: Input, io: Io): Promise<void> => {
  const { id } = input;
  const { client, tenant } = await openSession(input, io);
  const question = `Delete file ${id} and its content? This cannot be undone.`;
  if (!(await confirmUnless(input.yes, question, io))) throw failed("The file was not deleted.");
  await client.DELETE("/v1/tenants/{tenant}/files/{file}", {
    params: { path: { tenant, file: id } },
  });
  if (input.json) printJson(io, { id, deleted: true });
  else printMessage(io, `Deleted ${id}.`);
};

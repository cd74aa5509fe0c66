import { parseKeyId } from "../../address.ts";
import type { GlobalInput } from "../../command.ts";
import { failed } from "../../exit.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { confirmUnless } from "../../prompt.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { id: string; yes: boolean };

/** Runs `wharf keys revoke`. */
export const revokeKey = async (input: Input, io: Io): Promise<void> => {
  const id = parseKeyId(input.id);
  const { client, tenant, connection } = await openSession(input, io);
  const question = `Revoke key ${id} of ${tenant} at ${connection.url}? This cannot be undone.`;
  if (!(await confirmUnless(input.yes, question, io))) throw failed("The key was not revoked.");
  await client.DELETE("/v1/tenants/{tenant}/apiKeys/{apiKey}", {
    params: { path: { tenant, apiKey: id } },
  });
  if (input.json) printJson(io, { id, revoked: true });
  else printMessage(io, `Revoked ${id}.`);
};

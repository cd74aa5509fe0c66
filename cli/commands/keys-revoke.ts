import type { Command } from "commander";
import * as z from "zod";
import { apiClient } from "../api-client.ts";
import { resolveConnection } from "../connection.ts";
import { endpoints } from "../endpoints.ts";
import { failed, usage } from "../exit.ts";
import type { Io } from "../io.ts";
import { GlobalOptions, optionsOf, parseKeyId } from "../options.ts";
import { printJson, printMessage } from "../output.ts";
import { canAsk, confirm } from "../prompt.ts";

const Options = GlobalOptions.extend({ yes: z.boolean().default(false) });

const examples = `
The key stops working immediately and permanently; its history is kept. Revoking a revoked key has no effect.

Examples:
  $ wharf keys revoke 0193f0a0-7c4b-7000-8000-000000000000
  $ wharf keys delete 0193f0a0-7c4b-7000-8000-000000000000 --yes
`;

/** Adds `wharf keys revoke` and its alias `delete`. */
export const addKeysRevoke = (keys: Command, io: Io): void => {
  keys
    .command("revoke")
    .alias("delete")
    .description("Revoke an API key.")
    .argument("<id>", "the key's id")
    .option("--yes", "skip the confirmation")
    .addHelpText("after", examples)
    .action((id: string, _, command: Command) => revoke(id, optionsOf(command, Options), io));
};

const revoke = async (
  givenId: string,
  options: z.output<typeof Options>,
  io: Io,
): Promise<void> => {
  const id = parseKeyId(givenId);
  const connection = await resolveConnection(options, io);
  if (!options.yes) await askFirst(`${id} of ${connection.tenant} at ${connection.url}`, io);
  await apiClient(connection, io)(endpoints.revokeApiKey, { params: { apiKey: id } });
  if (options.json) printJson(io, { id, revoked: true });
  else printMessage(io, `Revoked ${id}.`);
};

const askFirst = async (key: string, io: Io): Promise<void> => {
  if (!canAsk(io))
    throw usage("Cannot ask for confirmation without a terminal. Add --yes to revoke the key.");
  const sure = await confirm(io, `Revoke key ${key}? This cannot be undone.`);
  if (!sure) throw failed("The key was not revoked.");
};

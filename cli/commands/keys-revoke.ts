import type { Command } from "commander";
import * as z from "zod";
import { apiClient } from "../api-client.ts";
import { resolveConnection } from "../connection.ts";
import { endpoints } from "../endpoints.ts";
import { failed, usage } from "../exit.ts";
import type { Io } from "../io.ts";
import { GlobalOptions, optionsOf, parseKeyId } from "../options.ts";
import { printJson, tell } from "../output.ts";
import { canAsk, confirm } from "../prompt.ts";

const Options = GlobalOptions.extend({ yes: z.boolean().default(false) });

const examples = `
The key stops working at once and for good; its history stays. Revoking it again does nothing more.

Examples:
  $ wharf keys revoke 0193f0a0-7c4b-7000-8000-000000000000
  $ wharf keys delete 0193f0a0-7c4b-7000-8000-000000000000 --yes
`;

/** Adds `wharf keys revoke`, also called `delete`. */
export const addKeysRevoke = (keys: Command, io: Io): void => {
  keys
    .command("revoke")
    .alias("delete")
    .description("Revoke an API key; delete is another name for it.")
    .argument("<id>", "the key's id")
    .option("--yes", "do not ask")
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
  else tell(io, `Revoked ${id}.`);
};

const askFirst = async (key: string, io: Io): Promise<void> => {
  if (!canAsk(io)) throw usage("There is no terminal to ask on: add --yes to revoke the key.");
  const sure = await confirm(io, `Revoke key ${key}? This cannot be undone.`);
  if (!sure) throw failed("Nothing was revoked.");
};

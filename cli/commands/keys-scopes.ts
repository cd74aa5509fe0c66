import type { Command } from "commander";
import { ScopeCatalog } from "../../lib/tenancy/api-key/schemas.ts";
import { apiClient } from "../api-client.ts";
import { resolveConnection } from "../connection.ts";
import { endpoints } from "../endpoints.ts";
import { failed } from "../exit.ts";
import type { Io } from "../io.ts";
import { GlobalOptions, optionsOf } from "../options.ts";
import { printJson, printTable } from "../output.ts";

const examples = `
Examples:
  $ wharf keys scopes
  $ wharf keys scopes --json | jq -r '.presets[] | select(.name == "Builder") | .scopes[]'
`;

/** Adds `wharf keys scopes`. */
export const addKeysScopes = (keys: Command, io: Io): void => {
  keys
    .command("scopes")
    .description("List scopes and presets of API keys.")
    .addHelpText("after", examples)
    .action(async (_, command: Command) => {
      const options = optionsOf(command, GlobalOptions);
      const call = apiClient(await resolveConnection(options, io), io);
      const response = await call(endpoints.listScopes);
      const catalog = ScopeCatalog.safeParse(response);
      if (!catalog.success) throw failed("The response is not a scope catalog. Check the URL.");
      if (options.json) return printJson(io, response);
      const { scopes, presets } = catalog.data;
      printTable(
        io,
        ["SCOPE", "DESCRIPTION"],
        scopes.map(({ scope, description }) => [scope, description]),
      );
      io.stdout.write("\n");
      printTable(
        io,
        ["PRESET", "SCOPES"],
        presets.map((preset) => [preset.name, preset.scopes.join(", ")]),
      );
    });
};

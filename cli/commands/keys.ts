import type { Command } from "commander";
import type { Io } from "../io.ts";
import { addKeysHistory } from "./keys-history.ts";
import { addKeysList } from "./keys-list.ts";
import { addKeysRevoke } from "./keys-revoke.ts";
import { addKeysScopes } from "./keys-scopes.ts";

const howToGenerate =
  "Generate and rotate keys in the dashboard, or with POST …/apiKeys:generate and POST …/apiKeys/{apiKey}:rotate. The new key is returned once.";

const examples = `
${howToGenerate}

Examples:
  $ wharf keys list
  $ wharf keys history 0193f0a0-7c4b-7000-8000-000000000000
  $ wharf keys revoke 0193f0a0-7c4b-7000-8000-000000000000
`;

/** Adds `wharf keys` and its commands. */
export const addKeys = (program: Command, io: Io): void => {
  const keys = program
    .command("keys")
    .description("Manage API keys.")
    .addHelpText("after", examples);
  addKeysList(keys, io);
  addKeysRevoke(keys, io);
  addKeysHistory(keys, io);
  addKeysScopes(keys, io);
  keys.showHelpAfterError(howToGenerate);
};

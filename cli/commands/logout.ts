import type { Command } from "commander";
import { credentialsPath, removeLogin } from "../credentials.ts";
import type { Io } from "../io.ts";
import { GlobalOptions, optionsOf } from "../options.ts";
import { printJson, printMessage } from "../output.ts";

const examples = `
Only the saved file is removed. The token itself is valid until it expires or is revoked.

Example:
  $ wharf logout
`;

/** Adds `wharf logout`. */
export const addLogout = (program: Command, io: Io): void => {
  program
    .command("logout")
    .description("Remove the saved token.")
    .addHelpText("after", examples)
    .action(async (_, command: Command) => {
      const { json } = optionsOf(command, GlobalOptions);
      const path = credentialsPath(io);
      const removed = await removeLogin(path);
      printMessage(io, removed ? `Removed ${path}.` : "You are not logged in.");
      if (json) printJson(io, { loggedIn: false });
    });
};

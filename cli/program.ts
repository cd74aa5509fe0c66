import { Command } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { addKeys } from "./commands/keys.ts";
import { addLogin } from "./commands/login.ts";
import { addLogout } from "./commands/logout.ts";
import type { Io } from "./io.ts";
import { printMessage } from "./output.ts";

const examples = `
Options take precedence over the environment (WHARF_URL, WHARF_TENANT, WHARF_TOKEN, WHARF_API_KEY),
which takes precedence over the saved login. Without any of them, local.json of a running local stack
is used, in .wharf or WHARF_DATA_DIR.

Examples:
  $ wharf login --url https://api.example.com --tenant acme
  $ wharf keys list
  $ wharf keys list --json

Exit codes: 0 success, 1 failure, 2 usage, 4 not allowed, 5 not found, 7 network.
`;

/** Creates the `wharf` program with its commands. */
export const wharfProgram = (io: Io): Command => {
  const program = new Command("wharf")
    .description("The command-line tool of Wharf.")
    .version(packageJson.version)
    .option("--url <url>", "base URL of the API")
    .option("--tenant <tenant>", "the tenant's slug or id")
    .option("--json", "write JSON to standard output")
    .addHelpText("after", examples)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text) => {
        for (const line of withoutValues(text).split("\n")) printMessage(io, line);
      },
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride();
  addLogin(program, io);
  addLogout(program, io);
  addKeys(program, io);
  return program;
};

/** Removes arguments from Commander's errors, because a misplaced token may be among them. */
const withoutValues = (text: string): string =>
  text
    .trim()
    .replace(/^error:/, "wharf:")
    .replace(/( but got \d+): .*$/s, "$1.")
    .replace(/'(--?[\w-]+)=[^']*'/g, "'$1'")
    .replaceAll(/[\w.~+/=-]{25,}/g, "…");

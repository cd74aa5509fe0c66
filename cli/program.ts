import { Command } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { addKeys } from "./commands/keys.ts";
import { addLogin } from "./commands/login.ts";
import { addLogout } from "./commands/logout.ts";
import type { Io } from "./io.ts";
import { tell } from "./output.ts";

const examples = `
Options win over the environment (WHARF_URL, WHARF_TENANT, WHARF_TOKEN, WHARF_API_KEY), which wins
over the saved login. Without any of them, ./.wharf/local.json is used.

Examples:
  $ wharf login --url https://api.example.com --tenant acme
  $ wharf keys list
  $ wharf keys list --json

Exit codes: 0 done, 1 failed, 2 usage, 4 not allowed, 5 not found, 7 network.
`;

/** The command line: `wharf` with all its commands. */
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
        for (const line of withoutValues(text).split("\n")) tell(io, line);
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

/** Commander says back what it does not understand, and a misplaced token would be among that. */
const withoutValues = (text: string): string =>
  text
    .trim()
    .replace(/^error:/, "wharf:")
    .replace(/( but got \d+): .*$/s, "$1.")
    .replace(/'(--?[\w-]+)=[^']*'/g, "'$1'")
    .replaceAll(/[\w.~+/=-]{25,}/g, "…");

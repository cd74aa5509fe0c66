import { Command, Option } from "commander";
import type { ArgumentRow, CommandRow, GivenInput, GroupRow, OptionRow } from "./command.ts";
import { buildCompletion } from "./commands/completion.ts";
import { commands } from "./commands.ts";
import { type ExitCode, exitCodes } from "./exit.ts";
import type { Io } from "./io.ts";
import packageJson from "./package.json" with { type: "json" };
import { printUsageError } from "./usage-error.ts";

const notes = `
Options take precedence over the environment (WHARF_URL, WHARF_TENANT, WHARF_TOKEN, WHARF_API_KEY,
WHARF_PROFILE), which takes precedence over the saved login. Without any of them, local.json of a running local stack
is used, in .wharf or WHARF_DATA_DIR.

Examples:
  $ wharf login --url https://wharf.example.com
  $ wharf run hello --input name=Ada --stream
  $ wharf keys list --json

Exit codes: 0 success, 1 failure, 2 usage, 3 differences or a mean below its minimum, 4 not allowed, 5 not found, 7 network, 8 timed out,
9 cancelled.
`;

/** Every command, in the order of the help. */
export const commandRows: readonly (CommandRow | GroupRow)[] = [
  ...commands,
  buildCompletion((io) => wharfProgram(io)),
];

/** Creates the `wharf` program from its rows; `onEnd` receives the exit code of the command that ran. */
export const wharfProgram = (
  io: Io,
  onEnd: (code: ExitCode) => void = () => undefined,
): Command => {
  const program = new Command("wharf")
    .description("The command-line tool of Wharf.")
    .version(packageJson.version)
    .option("--url <url>", "base URL of the API")
    .option("--tenant <tenant>", "the tenant's slug or id")
    .option("--profile <name>", "the saved login to use")
    .option("--json", "write JSON to standard output")
    .addHelpText("after", notes)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text) => printUsageError(io, text),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .exitOverride();
  for (const row of commandRows) {
    if (row.kind === "group") addGroup(program, row, io, onEnd);
    else addCommand(program, row, io, onEnd);
  }
  return program;
};

const addGroup = (
  program: Command,
  row: GroupRow,
  io: Io,
  onEnd: (code: ExitCode) => void,
): void => {
  const group = program
    .command(row.name)
    .description(row.summary)
    .addHelpText("after", helpText(row.hint, row.examples));
  for (const member of row.commands) addCommand(group, member, io, onEnd);
  if (row.hint) group.showHelpAfterError(row.hint);
};

const addCommand = (
  parent: Command,
  row: CommandRow,
  io: Io,
  onEnd: (code: ExitCode) => void,
): void => {
  const command = parent
    .command(row.name)
    .description(row.summary)
    .addHelpText("after", helpText(row.notes, row.examples));
  if (row.alias) command.alias(row.alias);
  const { excess } = row;
  if (excess) command.configureOutput({ outputError: (text) => printUsageError(io, text, excess) });
  for (const [name, argument] of Object.entries(row.args)) {
    command.argument(formatPlaceholder(name, argument), argument.description);
  }
  for (const [name, option] of Object.entries(row.options)) {
    command.addOption(toOption(name, option));
  }
  command.action(async () => onEnd((await row.run(readInput(command, row), io)) ?? exitCodes.done));
};

/** Returns an argument as the help shows it. */
export const formatPlaceholder = (name: string, { required, isList }: ArgumentRow): string => {
  const shown = isList ? `${name}...` : name;
  return required ? `<${shown}>` : `[${shown}]`;
};

/** Returns an option as the help shows it. */
export const formatFlags = (name: string, { value, isNegated }: OptionRow<unknown>): string => {
  const long = `--${isNegated ? "no-" : ""}${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return value === undefined ? long : `${long} <${value}>`;
};

const toOption = (name: string, row: OptionRow<unknown>): Option => {
  const option = new Option(formatFlags(name, row), row.description);
  const { parse } = row;
  if (parse) {
    option.argParser((text: string, earlier: unknown) => parse(text, earlier ?? row.initial));
  }
  if (row.required) option.makeOptionMandatory();
  return option;
};

const readInput = (command: Command, row: CommandRow): GivenInput => {
  const given = command.optsWithGlobals();
  const args = Object.entries(row.args).map(([name, { isList }], at) => [
    name,
    isList ? command.args.slice(at) : command.args[at],
  ]);
  const options = Object.entries(row.options).map(([name, { initial }]) => [
    name,
    given[name] ?? initial,
  ]);
  const { url, tenant, profile, json = false } = given;
  return { ...Object.fromEntries([...args, ...options]), url, tenant, profile, json };
};

const helpText = (text: string | undefined, examples: readonly string[]): string => {
  const heading = examples.length === 1 ? "Example:" : "Examples:";
  const lines = [heading, ...examples.map((example) => `  $ ${example}`)];
  return `\n${text ? `${wrap(text)}\n\n` : ""}${lines.join("\n")}\n`;
};

const helpWidth = 100;

/** Breaks lines at spaces, after at most 100 characters. */
const wrap = (text: string): string =>
  text
    .split("\n")
    .map((line) => {
      const [first = "", ...words] = line.split(" ");
      const lines = [first];
      for (const word of words) {
        const last = lines.pop() ?? "";
        const fits = last.length + 1 + word.length <= helpWidth;
        lines.push(...(fits ? [`${last} ${word}`] : [last, word]));
      }
      return lines.join("\n");
    })
    .join("\n");

import type { ExitCode } from "./exit.ts";
import type { Io } from "./io.ts";

/** A positional argument; its name is its key in the row. */
export type ArgumentRow = {
  description: string;
  required: boolean;
  /** Whether it takes all arguments that are left, as a list. */
  isList?: boolean;
};

/** An option; its name is its key in the row, as kebab-case. Without `value` it is a flag. */
export type OptionRow<Value> = {
  /** Placeholder of the value in the help. */
  value?: string;
  description: string;
  /** Value without the option. */
  initial: Value;
  required?: boolean;
  /** Whether it is written `--no-<name>`, and makes the value false. */
  isNegated?: boolean;
  choices?: readonly string[];
  /** Parses a value; `earlier` is the value before, for options that can be repeated. */
  parse?(text: string, earlier: Value): Value;
};

/** Options of every command. */
export type GlobalInput = {
  url: string | undefined;
  tenant: string | undefined;
  profile: string | undefined;
  json: boolean;
};

/** Values of a command line, by the names of the arguments and options of a command's rows. */
export type GivenInput = GlobalInput & Record<string, unknown>;

type ArgumentRows = Readonly<Record<string, ArgumentRow>>;
type OptionRows = Readonly<Record<string, OptionRow<unknown>>>;

type ArgumentValue<Row> = Row extends { isList: true }
  ? readonly string[]
  : Row extends { required: true }
    ? string
    : string | undefined;
type OptionValue<Row> = Row extends { initial: infer Value } ? Value : never;
type CommandInput<Arguments, Options> = GlobalInput & {
  [Name in keyof Arguments]: ArgumentValue<Arguments[Name]>;
} & { [Name in keyof Options]: OptionValue<Options[Name]> };

/** Members that every row has. */
type CommandText = {
  name: string;
  alias?: string;
  /** First line of the help. */
  summary: string;
  /** Further text of the help and of docs/cli.md. */
  notes?: string;
  /** Command lines, without the prompt. */
  examples: readonly string[];
  /** Follows the message about too many arguments. */
  excess?: string;
  /** Why test/docs cannot run the examples. */
  notRun?: string;
  /** Scopes that the command requires. */
  scopes?: string;
  /** The value that `--json` writes to standard output. */
  json: string;
};

/** A command as data: the program, its completion and docs/cli.md are generated from these rows. */
export type CommandRow = CommandText & {
  kind: "command";
  args: ArgumentRows;
  options: OptionRows;
  /** Loads the command's code and runs it with the values of its own rows. Without an exit code it is 0. */
  run(given: GivenInput, io: Io): Promise<ExitCode> | Promise<void>;
};

/** A group of commands, such as `wharf keys`. */
export type GroupRow = {
  kind: "group";
  name: string;
  summary: string;
  /** Text of the help that is also shown after an invalid command line. */
  hint?: string;
  examples: readonly string[];
  commands: readonly CommandRow[];
};

type CommandSpec<Arguments, Options> = CommandText & {
  args?: Arguments;
  options?: Options;
  run(input: CommandInput<Arguments, Options>, io: Io): Promise<ExitCode> | Promise<void>;
};

/** Creates the row of a command; `run` receives arguments and options by name. */
export const command = <
  const Arguments extends ArgumentRows = Record<never, never>,
  const Options extends OptionRows = Record<never, never>,
>(
  spec: CommandSpec<Arguments, Options>,
): CommandRow => ({
  ...spec,
  kind: "command",
  args: spec.args ?? {},
  options: spec.options ?? {},
  run: (given, io) => {
    if (isCommandInput(spec, given)) return spec.run(given, io);
    throw new Error(`the values of ${spec.name} do not match its rows`);
  },
});

/** Checks that the values of a command line fit the rows of a command; its options were parsed by their rows. */
const isCommandInput = <Arguments extends ArgumentRows, Options extends OptionRows>(
  { args, options }: CommandSpec<Arguments, Options>,
  given: GivenInput,
): given is GivenInput & CommandInput<Arguments, Options> =>
  Object.entries(args ?? {}).every(([name, row]) => fitsArgument(row, given[name])) &&
  Object.entries(options ?? {}).every(
    ([name, row]) => name in given && fitsOption(row, given[name]),
  );

const fitsArgument = ({ required, isList }: ArgumentRow, value: unknown): boolean => {
  if (isList) return Array.isArray(value) && value.every((item) => typeof item === "string");
  return typeof value === "string" || (!required && value === undefined);
};

const fitsOption = ({ initial }: OptionRow<unknown>, value: unknown): boolean =>
  initial === undefined || typeof value === typeof initial;

/** Creates the row of a group. */
export const group = (row: Omit<GroupRow, "kind">): GroupRow => ({ ...row, kind: "group" });

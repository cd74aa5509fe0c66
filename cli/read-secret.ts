import { usage } from "./exit.ts";
import type { Io } from "./io.ts";
import { readText } from "./read-text.ts";

/** Where a secret is: a file, or a variable of the environment. `name` is that of the options, without its ending. */
export type SecretSource = {
  name: string;
  file: string | undefined;
  variable: string | undefined;
};

/**
 * Reads a secret from the file of `--<name>-file` or the variable of `--<name>-env`; undefined without both. A secret is
 * never an argument, which would stay in the history of the shell.
 */
export const readSecret = async (
  { name, file, variable }: SecretSource,
  io: Io,
): Promise<string | undefined> => {
  if (file !== undefined && variable !== undefined) {
    throw usage(`Use --${name}-file or --${name}-env, not both.`);
  }
  if (file !== undefined) return requireText((await readText(file, io)).trim(), `--${name}-file`);
  return variable === undefined ? undefined : readVariable(variable, io);
};

/** Reads a secret from a variable of the environment. Throws a usage error if it is not set. */
export const readVariable = (variable: string, { env }: Pick<Io, "env">): string => {
  const value = (env[variable] ?? "").trim();
  if (value !== "") return value;
  throw usage(`The environment variable ${JSON.stringify(variable)} is not set.`);
};

const requireText = (text: string, option: string): string => {
  if (text !== "") return text;
  throw usage(`${option} is empty.`);
};

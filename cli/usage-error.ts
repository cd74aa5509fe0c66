import type { Io } from "./io.ts";
import { printMessage } from "./output.ts";

/** Commands that people look for under another name. */
const elsewhere: ReadonlyMap<string, string> = new Map([
  ["apply", "wharf agents apply"],
  ["deploy", "wharf agents apply --deploy"],
  ["execute", "wharf run"],
  ["logs", "wharf executions tail"],
  ["search", "wharf knowledge search"],
  ["tail", "wharf executions tail"],
  ["trace", "wharf executions trace"],
]);

/**
 * Prints Commander's error as one message. Arguments and values are left out, because a misplaced token may be among
 * them. `excess` completes the message about too many arguments.
 */
export const printUsageError = (io: Pick<Io, "stderr">, text: string, excess?: string): void => {
  const message = withoutValues(text);
  const [, command = ""] = /unknown command '([\w-]+)'/.exec(message) ?? [];
  const meant = elsewhere.get(command);
  const [, option] = secretOption.exec(message) ?? [];
  if (meant !== undefined) printMessage(io, `wharf: unknown command '${command}'; use ${meant}`);
  else if (option !== undefined) {
    const reason = "a secret as an argument stays in the shell's history";
    printMessage(
      io,
      `wharf: unknown option '${option}': ${reason}; see --help for files and variables`,
    );
  } else if (excess !== undefined && message.includes("too many arguments")) {
    printMessage(io, `${message} ${excess}`);
  } else printMessage(io, message);
};

/** Options that people try for secrets. */
const secretOption =
  /unknown option '(--(?:api-?key|secret|signing-secret|credential|password|token))'/;

const withoutValues = (text: string): string =>
  text
    .trim()
    .replace(/^error:/, "wharf:")
    .replace(/( but got \d+): .*$/s, "$1.")
    .replace(/'(--?[\w-]+)=[^']*'/g, "'$1'")
    .replace(/\n\(Did you mean (one of )?(.*)\?\)$/, "; did you mean $1$2?")
    .replaceAll(/[\w.~+/=-]{25,}/g, "…");

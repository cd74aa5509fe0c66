import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { interrupted, usage } from "./exit.ts";
import type { Io } from "./io.ts";

/** Returns whether the input is a terminal. */
export const canAsk = ({ stdin }: Pick<Io, "stdin">): boolean => stdin.isTTY === true;

/** Asks a yes/no question on stderr; anything but y or yes means no. */
const confirm = async (io: Io, question: string): Promise<boolean> => {
  const answer = await readLine(io, `${question} [y/N] `, io.stderr);
  return /^y(es)?$/i.test(answer.trim());
};

/** Asks a yes/no question unless `yes` is given; requires a terminal to ask at. */
export const confirmUnless = async (yes: boolean, question: string, io: Io): Promise<boolean> => {
  if (yes) return true;
  if (!canAsk(io)) throw usage("Cannot ask for confirmation without a terminal. Add --yes.");
  return confirm(io, question);
};

/** Asks for a secret on stderr without echoing it. */
export const askSecret = async (io: Io, question: string): Promise<string> => {
  io.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    return await readLine(io, "", nowhere);
  } finally {
    io.stderr.write("\n");
  }
};

/** Reads standard input to its end. */
export const readPiped = async ({ stdin }: Pick<Io, "stdin">): Promise<string> =>
  (await stdin.toArray()).map(String).join("");

/** Reads a line from the terminal; "" at the end of input. Rejects on Ctrl-C. */
const readLine = ({ stdin }: Io, question: string, output: Writable): Promise<string> =>
  new Promise((resolve, reject) => {
    const lines = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
    lines.on("SIGINT", () => {
      reject(interrupted());
      output.write("\n");
      lines.close();
    });
    lines.on("close", () => resolve(""));
    lines.question(question, (answer) => {
      resolve(answer);
      lines.close();
    });
  });

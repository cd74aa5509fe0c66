import type { Io } from "../io.ts";
import { printMessage } from "../output.ts";

/** Something wrong at a place of a file; line and column start at 1. */
export type FileProblem = {
  file: string;
  line: number;
  column: number;
  /** JSON pointer into the file's value; "" for the whole file. */
  pointer: string;
  detail: string;
};

/** Thrown when files can't be read, or are refused by the API. */
export class FileError extends Error {
  override name = "FileError";
  readonly problems: readonly FileProblem[];

  constructor(problems: readonly FileProblem[]) {
    super(problems.map(problemText).join("\n"));
    this.problems = problems;
  }
}

/** Formats a problem as compilers do, so that terminals and editors link to the place. */
export const problemText = ({ file, line, column, pointer, detail }: FileProblem): string =>
  `${file}:${line}:${column}: ${pointer === "" ? "" : `${pointer} `}${detail}`;

/** Prints one problem per line. */
export const printProblems = (io: Pick<Io, "stderr">, problems: readonly FileProblem[]): void => {
  for (const problem of problems) printMessage(io, problemText(problem));
};

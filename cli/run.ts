import { CommanderError } from "commander";
import { ProblemError } from "../client/problem-error.ts";
import { type ExitCode, exitCodes, WharfError } from "./exit.ts";
import { FileError, printProblems } from "./files/file-problem.ts";
import type { Io } from "./io.ts";
import { printMessage } from "./output.ts";
import { problemLine, toExitCode } from "./problem-line.ts";
import { wharfProgram } from "./program.ts";

/** Runs a command line (`args` without node and the script) and returns its exit code. */
export const runWharf = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  let exitCode: ExitCode = exitCodes.done;
  try {
    await wharfProgram(io, (code) => {
      exitCode = code;
    }).parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    }
    if (error instanceof WharfError) {
      printMessage(io, `wharf: ${error.message}`);
      return error.exitCode;
    }
    if (error instanceof FileError) {
      printProblems(io, error.problems);
      const count = error.problems.length;
      printMessage(io, `wharf: ${count} ${count === 1 ? "problem" : "problems"} in files.`);
      return exitCodes.failed;
    }
    if (error instanceof ProblemError) {
      printMessage(io, `wharf: ${problemLine(error)}`);
      return toExitCode(error);
    }
    const reason = error instanceof Error ? error.message : "unknown";
    printMessage(io, `wharf: Unexpected error: ${reason}`);
    return exitCodes.failed;
  }
};

import { CommanderError } from "commander";
import { type ExitCode, exitCodes, WharfError } from "./exit.ts";
import type { Io } from "./io.ts";
import { printMessage } from "./output.ts";
import { wharfProgram } from "./program.ts";

/** Runs a command line (`args` without node and the script) and returns its exit code. */
export const runWharf = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  try {
    await wharfProgram(io).parseAsync(args, { from: "user" });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    }
    if (error instanceof WharfError) {
      printMessage(io, `wharf: ${error.message}`);
      return error.exitCode;
    }
    const reason = error instanceof Error ? error.message : "unknown";
    printMessage(io, `wharf: Unexpected error: ${reason}`);
    return exitCodes.failed;
  }
};

import { CommanderError } from "commander";
import { type ExitCode, exitCodes, WharfError } from "./exit.ts";
import type { Io } from "./io.ts";
import { tell } from "./output.ts";
import { wharfProgram } from "./program.ts";

/** Runs one command line (`args` without node and the script) and returns what to exit with. */
export const runWharf = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  try {
    await wharfProgram(io).parseAsync(args, { from: "user" });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof CommanderError) {
      return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
    }
    if (error instanceof WharfError) {
      tell(io, `wharf: ${error.message}`);
      return error.exitCode;
    }
    tell(
      io,
      `wharf: Unexpected error: ${error instanceof Error ? error.message : "no reason given"}`,
    );
    return exitCodes.failed;
  }
};

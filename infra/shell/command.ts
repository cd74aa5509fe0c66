/** An error that the user of a command can fix; only its message is printed. */
export class CommandError extends Error {
  override name = "CommandError";
}

/** Runs an `npm run` command. A CommandError prints its message and sets exit code 1. */
export const runCommand = async (command: () => Promise<void>): Promise<void> => {
  try {
    await command();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
};

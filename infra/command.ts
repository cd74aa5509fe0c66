/** An error that whoever runs a command can mend: its message is all that they need to see. */
export class CommandError extends Error {
  override name = "CommandError";
}

/** Runs a command of `npm run`; a CommandError ends it with its message alone and exit code 1. */
export const runCommand = async (command: () => Promise<void>): Promise<void> => {
  try {
    await command();
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
};

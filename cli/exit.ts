/** Exit codes, documented in docs/cli.md. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  differs: 3,
  belowMinimum: 3,
  notAllowed: 4,
  notFound: 5,
  network: 7,
  timedOut: 8,
  cancelled: 9,
  interrupted: 130,
} as const;

/** One of the exit codes. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends the command with a one-line message, which must not contain credentials. */
export class WharfError extends Error {
  override name = "WharfError";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Returns the error of a failed command. */
export const failed = (message: string): WharfError => new WharfError(exitCodes.failed, message);

/** Returns the error of an invalid command line; nothing was sent. */
export const usage = (message: string): WharfError => new WharfError(exitCodes.usage, message);

/** Returns the error of a request without a response. */
export const unreachable = (message: string): WharfError =>
  new WharfError(exitCodes.network, message);

/** Returns the error of a Ctrl-C. */
export const interrupted = (): WharfError => new WharfError(exitCodes.interrupted, "Interrupted.");

/** Returns the exit code of an execution that ended with a status. */
export const statusExitCode = (status: string): ExitCode => {
  if (status === "Succeeded") return exitCodes.done;
  if (status === "TimedOut") return exitCodes.timedOut;
  return status === "Cancelled" ? exitCodes.cancelled : exitCodes.failed;
};

/** What the process ends with; docs/cli.md lists them for scripts. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notAllowed: 4,
  notFound: 5,
  network: 7,
  interrupted: 130,
} as const;

/** One of the exit codes. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends the command: its message is the one line that the user sees, so it never holds a credential. */
export class WharfError extends Error {
  override name = "WharfError";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The command could not be done. */
export const failed = (message: string): WharfError => new WharfError(exitCodes.failed, message);

/** The command was called wrongly; nothing was sent. */
export const usage = (message: string): WharfError => new WharfError(exitCodes.usage, message);

/** No answer arrived. */
export const unreachable = (message: string): WharfError =>
  new WharfError(exitCodes.network, message);

/** The user pressed Ctrl-C. */
export const interrupted = (): WharfError => new WharfError(exitCodes.interrupted, "Interrupted.");

import module from "node:module";
import { join } from "node:path";

// Halves the load time from the second run on.
module.enableCompileCache?.(join(import.meta.dirname, "../node_modules/.cache/wharf-cli"));
const { runWharf } = await import("./run.ts");
const { exitCodes } = await import("./exit.ts");
const { openBrowser } = await import("./open-browser.ts");

/** Exits without an error when the reader, such as `| head`, closes the pipe. */
const endQuietly = (error: NodeJS.ErrnoException): void => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
};
process.stdout.on("error", endQuietly);
process.stderr.on("error", endQuietly);

// Ends with the launcher, which has the other end of the channel: immediately if nothing is to be
// ended.
if (process.channel) {
  process.once("disconnect", () => {
    setTimeout(() => process.exit(1), 2_000).unref();
    process.kill(process.pid, "SIGTERM");
  });
  process.on("message", (message) => {
    const signal = (["SIGHUP", "SIGINT", "SIGTERM"] as const).find((name) => name === message);
    if (signal && !process.emit(signal)) process.kill(process.pid, signal);
  });
  process.channel.unref();
}

/** A terminal signals this process and the launcher, which forwards the signal: these two are one. */
const sameSignalMs = 500;

const { stdin, stdout, stderr, env } = process;
process.exitCode = await runWharf(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  cwd: process.cwd(),
  openBrowser,
  interrupt: () => {
    const controller = new AbortController();
    let stoppedAt: number | undefined;
    const stop = (): void => {
      stoppedAt ??= performance.now();
      controller.abort();
      if (performance.now() - stoppedAt > sameSignalMs) process.exit(exitCodes.interrupted);
    };
    process.on("SIGINT", stop).on("SIGTERM", stop);
    return controller.signal;
  },
});

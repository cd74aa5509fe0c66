import module from "node:module";
import { join } from "node:path";

// Halves the load time from the second run on.
module.enableCompileCache?.(join(import.meta.dirname, "../node_modules/.cache/wharf-cli"));
const { runWharf } = await import("./run.ts");
const { openBrowser } = await import("./open-browser.ts");

/** Exits without an error when the reader, such as `| head`, closes the pipe. */
const endQuietly = (error: NodeJS.ErrnoException): void => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
};
process.stdout.on("error", endQuietly);
process.stderr.on("error", endQuietly);

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
    const stop = (): void => controller.abort();
    process.once("SIGINT", stop).once("SIGTERM", stop);
    return controller.signal;
  },
});

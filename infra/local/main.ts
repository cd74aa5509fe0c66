import { existsSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";

// Two arenas of the allocator save some 40 MB. Only a new program image reads the variable; the process ID stays.
if (process.platform === "linux" && process.env.MALLOC_ARENA_MAX === undefined) {
  process.execve?.(
    process.execPath,
    [process.execPath, ...process.execArgv, ...process.argv.slice(1)],
    { ...process.env, MALLOC_ARENA_MAX: "2" },
  );
}

const started = performance.now();
enableCompileCache(join(import.meta.dirname, "../../node_modules/.cache/wharf-local"));
const [
  { whenDeleted },
  { runProduct },
  { likelyRequests },
  { readLocalSettings },
  { StopError },
  { startupMessage },
] = await Promise.all([
  import("./data-folder.ts"),
  import("./run.ts"),
  import("./seed.ts"),
  import("./settings.ts"),
  import("./stop-error.ts"),
  import("./startup-message.ts"),
]);

const print = (line: string): void => console.error(line);

const stop = (code: number): never => process.exit(code);

/** npm signals only its shell, so under npm the exit of the parent process counts as the signal. */
const onParentExit = (end: () => void): void => {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, parentCheckMilliseconds);
};

const parentCheckMilliseconds = 250;

/**
 * Keeps the console's build away from a user's first requests; opening the console starts it
 * immediately.
 */
const consoleDelayMilliseconds = 10_000;

const fail = (error: unknown): never => {
  const unexpected = error instanceof Error ? (error.stack ?? error.message) : String(error);
  print(error instanceof StopError ? error.message : unexpected);
  return stop(1);
};

try {
  const product = await runProduct(readLocalSettings(process.env), print);
  console.log(startupMessage(product, performance.now() - started));
  product.stack.keepWarm(likelyRequests);
  setTimeout(product.console.build, consoleDelayMilliseconds).unref();

  let stopping = false;
  const end = (): void => {
    if (stopping) return;
    stopping = true;
    product.close().then(() => stop(0), fail);
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  onParentExit(end);

  const died = product.stack.died.then(
    (reason) => `${reason} Start again; no acknowledged write is lost.`,
  );
  const deleted = whenDeleted(product.folder);
  print(await Promise.race([deleted, died]));
  // Without its folder the stack may not close in order.
  await product.close().catch((error: unknown) => {
    if (existsSync(product.folder.issuerKey)) throw error;
  });
  stop(1);
} catch (error) {
  fail(error);
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { DataFolder } from "../data-folder.ts";
import { findFreePort } from "../free-port.ts";
import { isAlive } from "../is-alive.ts";
import { StopError } from "../stop-error.ts";

/** A running DynamoDB engine. */
export type Engine = {
  endpoint: string;
  /** Resolves with the reason when the engine fails; never after `close`. */
  died: Promise<string>;
  close: () => Promise<void>;
};

/**
 * Runs the engine and terminates it when standard input closes, which the kernel does whenever this process
 * exits. The shell has its own session: Ctrl-C in the terminal does not reach the engine, so requests in progress
 * can complete.
 */
const guardian = `
exec 3<&0
"$1" serve --host 127.0.0.1 --port "$2" \${3:+--db-path "$3"} </dev/null 3<&- &
engine=$!
echo "$engine" >"$4"
{ cat <&3 >/dev/null; kill -TERM "$engine" 2>/dev/null; } &
watcher=$!
wait "$engine"
status=$?
rm -f "$4"
kill "$watcher" 2>/dev/null
exit "$status"
`;

/**
 * Starts the engine on the folder's table database, or in memory, after the exit of an engine left by an earlier
 * process.
 */
export const startEngine = async (folder: DataFolder, table?: "memory"): Promise<Engine> => {
  const binary = findBinary();
  await awaitPreviousExit(folder.enginePid);
  const port = await findFreePort();
  const log = openSync(folder.engineLog, "a");
  const database = table === "memory" ? "" : folder.tableDatabase;
  const guard = spawn(
    "/bin/sh",
    ["-c", guardian, "sh", binary, String(port), database, folder.enginePid],
    { detached: true, stdio: ["pipe", log, log] },
  );
  closeSync(log);
  const exited = new Promise<void>((resolve) =>
    guard.once("exit", () => resolve()).once("error", () => resolve()),
  );
  guard.stdin?.on("error", () => undefined);
  let closing = false;
  const unexpected = exited.then(() => (closing ? new Promise<void>(() => undefined) : undefined));
  await Promise.race([
    untilListening(port),
    unexpected.then(() => {
      throw new StopError(`The DynamoDB engine did not start. See ${folder.engineLog}.`);
    }),
  ]);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    died: unexpected.then(() => `The DynamoDB engine exited. See ${folder.engineLog}.`),
    close: async () => {
      closing = true;
      guard.stdin?.destroy();
      await exited;
    },
  };
};

const findBinary = (): string => {
  const require = createRequire(import.meta.url);
  try {
    return require.resolve(`@dynoxide/${process.platform}-${process.arch}/dynoxide`);
  } catch {
    throw new StopError(
      `No DynamoDB engine is installed for ${process.platform}-${process.arch}. Run one (npx dynoxide --port 8000, or DynamoDB Local) and set DYNAMODB_ENDPOINT=http://127.0.0.1:8000.`,
    );
  }
};

const maximumExitWait = 5_000;

const awaitPreviousExit = async (pidFile: string): Promise<void> => {
  const end = Date.now() + maximumExitWait;
  for (;;) {
    const pid = readPid(pidFile);
    if (pid === undefined || !isEngine(pid)) return;
    if (Date.now() > end) process.kill(pid, "SIGKILL");
    await pause(20);
  }
};

/** Returns the PID in a file; undefined when the engine has removed the file. */
const readPid = (pidFile: string): number | undefined => {
  try {
    return Number(readFileSync(pidFile, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
};

/** Returns whether a PID still belongs to an engine; the system may have reused it. */
const isEngine = (pid: number): boolean => {
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return false;
  const commandLine = `/proc/${pid}/cmdline`;
  return (
    !existsSync("/proc/self/cmdline") ||
    (existsSync(commandLine) && readFileSync(commandLine, "utf8").includes("dynoxide"))
  );
};

const untilListening = async (port: number): Promise<void> => {
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const opened = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "error").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (opened) return;
    await pause(5);
  }
};

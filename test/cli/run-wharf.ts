import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import type { Io } from "../../cli/io.ts";
import { runWharf as runCommandLine } from "../../cli/run.ts";

const script = join(import.meta.dirname, "../../cli/wharf.mjs");

/** A home for one test: nothing of the machine's own configuration is seen, and nothing is left. */
export const newHome = (): string => {
  const home = mkdtempSync(join(tmpdir(), "wharf-cli-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
};

/** Exit code and output of the tool. */
export type Run = { exitCode: number | null; stdout: string; stderr: string };

type Options = {
  /** Holds the configuration and is the working directory. */
  home?: string;
  env?: Record<string, string>;
  /** Standard input; empty by default. */
  stdin?: string;
  /** Aborts as Ctrl-C does. */
  interrupt?: AbortSignal;
  /** Is called with the address that the browser opens. */
  openBrowser?: (url: string) => void;
};

/** Runs the tool as a script does, with `stdin` piped in, in this process: most tests need no other. */
export const runWharf = (args: readonly string[], options: Options = {}): Promise<Run> => {
  const stdin = new PassThrough();
  stdin.end(options.stdin ?? "");
  return run(args, stdin, options);
};

/** Runs the tool at a terminal where `typed` is typed. */
export const runAtTerminal = (
  args: readonly string[],
  typed: string,
  options: Options = {},
): Promise<Run> => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  stdin.write(typed);
  return run(args, stdin, options);
};

const run = async (args: readonly string[], stdin: Io["stdin"], options: Options): Promise<Run> => {
  const { home = newHome(), env = {} } = options;
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const written = Promise.all([text(stdout), text(stderr)]);
  const exitCode = await runCommandLine(args, {
    stdin,
    stdout,
    stderr,
    env: { ...homeEnvironment(home), ...env },
    cwd: home,
    openBrowser: options.openBrowser ?? (() => undefined),
    interrupt: () => options.interrupt ?? new AbortController().signal,
  });
  stdout.end();
  stderr.end();
  const [out, err] = await written;
  return { exitCode, stdout: out, stderr: err };
};

/** Runs `node cli/wharf.mjs …` in a process of its own. */
export const spawnWharf = (args: readonly string[], options: Options = {}): Promise<Run> =>
  spawnCommand(process.execPath, [script, ...args], options);

/** Runs a shell line in which `$WHARF` is the tool. */
export const spawnShell = (line: string, options: Options): Promise<Run> =>
  spawnCommand(
    "/bin/sh",
    ["-c", line.replaceAll("$WHARF", `'${process.execPath}' '${script}'`)],
    options,
  );

const spawnCommand = async (
  command: string,
  args: readonly string[],
  { home = newHome(), env = {}, stdin = "" }: Options,
): Promise<Run> => {
  const child = spawn(command, args, {
    cwd: home,
    env: { PATH: process.env.PATH, ...homeEnvironment(home), ...env },
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(stdin);
  const exitCode = new Promise<number | null>((resolve) => child.on("close", resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { exitCode: await exitCode, stdout, stderr };
};

const homeEnvironment = (home: string) => ({ HOME: home, XDG_CONFIG_HOME: join(home, "config") });

import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { resolve } from "node:path";

const repository = resolve(import.meta.dirname, "../..");
const vite = resolve(repository, "node_modules/vite/bin/vite.js");

/** Directory of the console that is deployed. */
export const builtConsole = resolve(repository, "dist/console");

/** Options of a build. */
type BuildOptions = { outdir: string; signal?: AbortSignal; isInBackground?: boolean };

/** Builds the console into a directory. Throws with the output of a failed build. */
export const buildConsole = async (options: BuildOptions): Promise<void> => {
  const { outdir, signal, isInBackground = false } = options;
  const child = spawn(
    process.execPath,
    [vite, "build", "--outDir", outdir, "--emptyOutDir", "--logLevel", "warn"],
    {
      cwd: resolve(repository, "console"),
      // Whatever this process is run for, such as tests, the console is the deployed one.
      env: { ...process.env, NODE_ENV: "production" },
      stdio: ["ignore", "pipe", "pipe"],
      signal,
    },
  );
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => output.push(text));
  }
  if (isInBackground && child.pid !== undefined) {
    setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  }
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`The console cannot be built: ${output.join("")}`);
};

import { spawn } from "node:child_process";
import { getPriority, setPriority } from "node:os";

/** A command that a run of steps starts; `name` stands in its lines. */
export type Step = { name: string; command: string; args: readonly string[] };

type StepResult = { passed: boolean; output: string };

/**
 * Runs a command and collects what it prints. `priority` (`os.constants.priority`) is at most that of this process, and also
 * of what the command starts. An absent command does not pass.
 */
export const runStep = ({ command, args }: Step, priority?: number): Promise<StepResult> =>
  new Promise((resolve) => {
    const output: string[] = [];
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
    if (priority !== undefined && child.pid !== undefined) {
      setPriority(child.pid, Math.max(priority, getPriority()));
    }
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => output.push(text));
    }
    child.on("error", ({ message }) => resolve({ passed: false, output: `${message}\n` }));
    child.on("close", (status) => resolve({ passed: status === 0, output: output.join("") }));
  });

const secondsSince = (start: number): string =>
  `${((performance.now() - start) / 1_000).toFixed(1)} s`;

/**
 * Runs steps, `parallel` at a time in their order, and prints a line as each starts and ends. The output of a failed step
 * follows its line. Returns the names of the failed steps.
 */
export const runSteps = async (
  steps: readonly Step[],
  { parallel, print }: { parallel: number; print: (line: string) => void },
): Promise<string[]> => {
  const start = performance.now();
  const failed: string[] = [];
  const left = [...steps];
  const work = async (): Promise<void> => {
    for (let step = left.shift(); step; step = left.shift()) {
      const stepStart = performance.now();
      print(`start   ${step.name}: ${[step.command, ...step.args].join(" ")}`);
      const { passed, output } = await runStep(step);
      print(`${passed ? "passed" : "FAILED"}  ${step.name} (${secondsSince(stepStart)})`);
      if (passed) continue;
      failed.push(step.name);
      print(output.trimEnd());
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  const verdict = failed.length === 0 ? "passed" : `FAILED: ${failed.join(", ")}`;
  print(`${steps.length} checks in ${secondsSince(start)}, ${verdict}`);
  return failed;
};

import { runSteps, type Step } from "../shell/run-steps.ts";

const check = (name: string, file: string): Step => ({
  name,
  command: "node",
  args: [`infra/commands/${file}`],
});

/** The longest first. One checker type-checks with little more than half the work of the compiler's four. */
const steps: readonly Step[] = [
  { name: "format and lint", command: "biome", args: ["check", "."] },
  { name: "types", command: "tsc", args: ["-p", ".", "--checkers", "1"] },
  { name: "types of the console", command: "tsc", args: ["-p", "console", "--checkers", "1"] },
  { name: "unused code", command: "knip", args: [] },
  check("regular expressions", "check-patterns.ts"),
  check("client", "check-client.ts"),
  check("dependencies", "check-dependencies.ts"),
];

const failed = await runSteps(steps, { parallel: 2, print: console.log });
if (failed.length > 0) process.exitCode = 1;

import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { runStep } from "../shell/run-steps.ts";

/*
 * Runs the tests that every change has to pass, with the arguments for vitest, and the checks at the same time. Tests wait for
 * the product and for each other; the checks have a lower priority and use the processor time that this leaves.
 */

/** All but the tests of the nightly run. */
const everyChange = ["--tags-filter=!nightly", "--project=!faults"];

const verify = { name: "checks", command: "node", args: ["infra/commands/verify.ts"] };

const tests = spawn("vitest", ["run", ...everyChange, ...process.argv.slice(2)], {
  stdio: "inherit",
});
const [checks, [status]] = await Promise.all([
  runStep(verify, constants.priority.PRIORITY_BELOW_NORMAL),
  once(tests, "close"),
]);
console.log(checks.output.trimEnd());
if (!checks.passed || status !== 0) process.exitCode = 1;

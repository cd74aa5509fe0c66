import { getPriority } from "node:os";
import { expect, test } from "vitest";
import { runStep, runSteps } from "../../infra/shell/run-steps.ts";

const step = (name: string, code: string) => ({
  name,
  command: process.execPath,
  args: ["-e", code],
});

test("each step prints when it starts and ends, and only a failed one what it printed", {
  tags: "nightly",
}, async () => {
  const lines: string[] = [];
  const steps = [
    step("good", "console.log('not shown')"),
    step("bad", "console.log('the fault'); process.exit(2)"),
    { name: "absent", command: "/no/such/command", args: [] },
    step("last", ""),
  ];
  const failed = await runSteps(steps, { parallel: 1, print: (line) => lines.push(line) });
  expect(failed).toEqual(["bad", "absent"]);
  expect(lines).toEqual([
    expect.stringMatching(/^start {3}good: /),
    expect.stringMatching(/^passed {2}good \(\d+\.\d s\)$/),
    expect.stringMatching(/^start {3}bad: /),
    expect.stringMatching(/^FAILED {2}bad /),
    "the fault",
    expect.stringMatching(/^start {3}absent: /),
    expect.stringMatching(/^FAILED {2}absent /),
    expect.stringContaining("ENOENT"),
    expect.stringMatching(/^start {3}last: /),
    expect.stringMatching(/^passed {2}last /),
    expect.stringMatching(/^4 checks in \d+\.\d s, FAILED: bad, absent$/),
  ]);
});

test("a command of lower priority gives it to what it starts", { tags: "nightly" }, async () => {
  const print = "console.log(os.getPriority())";
  const code = `${print}; child_process.execFileSync(process.execPath, ["-e", "${print}"], { stdio: "inherit" })`;
  const low = Math.max(10, getPriority());
  const output = `${low}\n${low}\n`;
  expect(await runStep(step("low", code), low)).toEqual({ passed: true, output });
});

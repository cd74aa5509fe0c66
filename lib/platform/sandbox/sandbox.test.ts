import { afterAll, describe, expect, test } from "vitest";
import type * as expressionTask from "../../expression/evaluate-expression-task.ts";
import { ProcessorBudget } from "./processor-budget.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";
import { SandboxLimitError } from "./sandbox-error.ts";
import { sandboxTask } from "./task.ts";

const task = sandboxTask<typeof expressionTask>(
  new URL("../../expression/evaluate-expression-task.ts", import.meta.url),
);

const opened: Sandbox[] = [];

function open(megabytes?: number): Sandbox {
  const sandbox = createSandbox(megabytes);
  opened.push(sandbox);
  return sandbox;
}

afterAll(async () => {
  await Promise.all(opened.map((sandbox) => sandbox.close()));
});

const catastrophic = "$contains($pad('', 40, 'a') & 'b', /^(a+)+$/)";

function evaluate(budget: ProcessorBudget, source: string, limitMs = 60_000) {
  return budget.run(task, { source, document: "{}", now: 0 }, limitMs);
}

async function limitOf(task: Promise<unknown>): Promise<string> {
  const failure = await task.catch((error: unknown) => error);
  return failure instanceof SandboxLimitError ? failure.limit : `no limit: ${String(failure)}`;
}

describe("the sandbox", () => {
  test("terminates a task at its time limit, also within one synchronous call", async () => {
    const budget = new ProcessorBudget(60_000, open());
    expect(await limitOf(evaluate(budget, catastrophic, 50))).toBe("time");
  });

  test("runs what waited behind a terminated task in a new thread", async () => {
    const sandbox = open();
    const hostile = evaluate(new ProcessorBudget(60_000, sandbox), catastrophic, 50);
    const others = Array.from({ length: 10 }, (_, at) =>
      evaluate(new ProcessorBudget(60_000, sandbox), `${at} + 1`),
    );
    expect(await limitOf(hostile)).toBe("time");
    expect(await Promise.all(others)).toEqual(
      Array.from({ length: 10 }, (_, at) => ({ ok: true, json: String(at + 1) })),
    );
  });

  test("terminates a task that needs more memory than the thread has, and goes on", async () => {
    const sandbox = open(24);
    const budget = new ProcessorBudget(60_000, sandbox);
    const greedy = "$count($map([1..40000], function($i) { [$i..($i + 100)] }))";
    expect(await limitOf(evaluate(budget, greedy))).toBe("memory");
    const other = new ProcessorBudget(60_000, sandbox);
    expect(await evaluate(other, "1 + 1")).toEqual({ ok: true, json: "2" });
  });

  test("ends a unit of work at its total, however little each task takes", async () => {
    const budget = new ProcessorBudget(300, open());
    const busy = "$sum([1..20000].($ * 2))";
    const limits: string[] = [];
    for (let at = 0; at < 1_000 && !limits.includes("total"); at += 1) {
      limits.push(await limitOf(evaluate(budget, busy)));
    }
    expect(limits.at(-1)).toBe("total");
    expect(budget.remainingMs).toBeLessThanOrEqual(0);
  });

  test("does not count the time that a task waits for others", async () => {
    const sandbox = open();
    const hostile = evaluate(new ProcessorBudget(60_000, sandbox), catastrophic, 500);
    const brief = new ProcessorBudget(400, sandbox);
    const [, result] = await Promise.all([limitOf(hostile), evaluate(brief, "1")]);
    expect(result).toEqual({ ok: true, json: "1" });
  });

  test("lets a light unit of work pass the waiting tasks of a heavy one", async () => {
    const sandbox = open();
    const heavy = new ProcessorBudget(60_000, sandbox);
    const order: string[] = [];
    await evaluate(heavy, "$sum([1..20000].($ * 2))");
    const tasks = [1, 2, 3].map(() => evaluate(heavy, "1").then(() => order.push("heavy")));
    const light = evaluate(new ProcessorBudget(60_000, sandbox), "1");
    await Promise.all([...tasks, light.then(() => order.push("light"))]);
    expect(order).toEqual(["heavy", "light", "heavy", "heavy"]);
  });

  test("fails what waits when it is closed", async () => {
    const sandbox = open();
    const task = evaluate(new ProcessorBudget(60_000, sandbox), catastrophic);
    const failed = expect(task).rejects.toThrow("closed");
    await sandbox.close();
    await failed;
  });
});

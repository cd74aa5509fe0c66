import { randomUUID } from "node:crypto";
import { Worker } from "node:worker_threads";
import { afterAll, describe, expect, test } from "vitest";
import type * as leaveStateTask from "../../../test/harness/leave-state-task.ts";
import { testProcessor } from "../../../test/harness/processor.ts";
import type * as expressionTask from "../../values/expression/evaluate-expression-task.ts";
import { TenantId } from "../db/tenant-id.ts";
import { ProcessorBudget } from "./processor-budget.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";
import { SandboxLimitError } from "./sandbox-error.ts";
import { sandboxTask } from "./task.ts";

const task = sandboxTask<typeof expressionTask>(
  new URL("../../values/expression/evaluate-expression-task.ts", import.meta.url),
);

const opened: Sandbox[] = [];

const open = (megabytes?: number): Sandbox => {
  const sandbox = createSandbox(megabytes);
  opened.push(sandbox);
  return sandbox;
};

afterAll(async () => {
  await Promise.all(opened.map((sandbox) => sandbox.close()));
});

const catastrophic = "$contains($pad('', 40, 'a') & 'b', /^(a+)+$/)";

const evaluate = (budget: ProcessorBudget, source: string, limitMs = 60_000) =>
  budget.run(task, { source, document: "{}", now: 0 }, limitMs);

/** Starts a thread of the test's own, and returns its number: numbers rise. */
const startedThread = async (): Promise<number> => {
  const worker = new Worker("", { eval: true });
  const { threadId } = worker;
  await worker.terminate();
  return threadId;
};

const catchLimit = async (task: Promise<unknown>): Promise<string> => {
  const failure = await task.catch((error: unknown) => error);
  return failure instanceof SandboxLimitError ? failure.limit : `no limit: ${String(failure)}`;
};

const stateTask = sandboxTask<typeof leaveStateTask>(
  new URL("../../../test/harness/leave-state-task.ts", import.meta.url),
);

const newTenant = () => TenantId.parse(randomUUID());

/** Runs a task that leaves a text in its thread; returns what an earlier one left there, and the thread. */
const leave = (sandbox: Sandbox, tenantId: TenantId, text: string) =>
  new ProcessorBudget(tenantId, 60_000, sandbox).run(stateTask, text, 60_000);

describe("the sandbox", () => {
  test("terminates a task at its time limit, also within one synchronous call", {
    tags: "nightly",
  }, async () => {
    const budget = testProcessor(60_000, open());
    expect(await catchLimit(evaluate(budget, catastrophic, 50))).toBe("time");
  });

  test("runs tasks behind a terminated one in a new thread", { tags: "nightly" }, async () => {
    const sandbox = open();
    const hostile = evaluate(testProcessor(60_000, sandbox), catastrophic, 50);
    const others = Array.from({ length: 10 }, (_, at) =>
      evaluate(testProcessor(60_000, sandbox), `${at} + 1`),
    );
    expect(await catchLimit(hostile)).toBe("time");
    expect(await Promise.all(others)).toEqual(
      Array.from({ length: 10 }, (_, at) => ({ ok: true, json: String(at + 1) })),
    );
  });

  test("terminates a task that needs more memory than the thread has, and continues", {
    tags: "nightly",
  }, async () => {
    const sandbox = open(24);
    const budget = testProcessor(60_000, sandbox);
    const greedy = "$count($map([1..40000], function($i) { [$i..($i + 100)] }))";
    expect(await catchLimit(evaluate(budget, greedy))).toBe("memory");
    const other = testProcessor(60_000, sandbox);
    expect(await evaluate(other, "1 + 1")).toEqual({ ok: true, json: "2" });
  });

  test("ends a unit of work at its total time, however short its tasks are", {
    tags: "nightly",
  }, async () => {
    const budget = testProcessor(300, open());
    const busy = "$sum([1..20000].($ * 2))";
    const limits: string[] = [];
    for (let at = 0; at < 1_000 && !limits.includes("total"); at += 1) {
      limits.push(await catchLimit(evaluate(budget, busy)));
    }
    expect(limits.at(-1)).toBe("total");
    expect(budget.remainingMs).toBeLessThanOrEqual(0);
  });

  test("does not count the time that a task waits for others", { tags: "nightly" }, async () => {
    const sandbox = open();
    const hostile = evaluate(testProcessor(60_000, sandbox), catastrophic, 500);
    const brief = testProcessor(400, sandbox);
    const [, result] = await Promise.all([catchLimit(hostile), evaluate(brief, "1")]);
    expect(result).toEqual({ ok: true, json: "1" });
  });

  test("lets a light unit of work pass the waiting tasks of a heavy one", {
    tags: "nightly",
  }, async () => {
    const sandbox = open();
    const heavy = testProcessor(60_000, sandbox);
    const order: string[] = [];
    await evaluate(heavy, "$sum([1..20000].($ * 2))");
    const tasks = [1, 2, 3].map(() => evaluate(heavy, "1").then(() => order.push("heavy")));
    const light = evaluate(testProcessor(60_000, sandbox), "1");
    await Promise.all([...tasks, light.then(() => order.push("light"))]);
    expect(order).toEqual(["heavy", "light", "heavy", "heavy"]);
  });

  test("runs the tasks of two tenants in two threads, which stay separate", async () => {
    const sandbox = open();
    const [one, other] = [newTenant(), newTenant()];
    const results = [
      await leave(sandbox, one, "a secret"),
      await leave(sandbox, other, "another"),
      await leave(sandbox, one, "a second"),
      await leave(sandbox, other, "a last"),
    ];
    expect(results.map(({ found }) => found)).toEqual([null, null, "a secret", "another"]);
    expect(new Set(results.map(({ threadId }) => threadId)).size).toBe(2);
  });

  test("starts a new thread per tenant for concurrent tasks of many tenants", {
    tags: "nightly",
  }, async () => {
    const sandbox = open();
    const tenants = [1, 2, 3, 4, 5].map(newTenant);
    const all = [...tenants, ...tenants].map(async (tenantId) => ({
      tenantId,
      ...(await leave(sandbox, tenantId, tenantId)),
    }));
    for (const { tenantId, found } of await Promise.all(all)) {
      expect([null, tenantId]).toContain(found);
    }
  });

  test("keeps few threads: the one that was not used longest is ended", {
    tags: "nightly",
  }, async () => {
    const sandbox = open();
    const [one, other, third] = [newTenant(), newTenant(), newTenant()];
    for (const tenant of [one, other, third]) await leave(sandbox, tenant, "left");
    expect(await leave(sandbox, third, "")).toMatchObject({ found: "left" });
    expect(await leave(sandbox, one, "")).toMatchObject({ found: null });
  });

  test("has a thread ready for the next tenant once it has served two, and none before", {
    tags: "nightly",
  }, async () => {
    const sandbox = open();
    await leave(sandbox, newTenant(), "");
    const between = await startedThread();
    const second = await leave(sandbox, newTenant(), "");
    expect(second.threadId).toBeGreaterThan(between);
    const later = await startedThread();
    const third = await leave(sandbox, newTenant(), "");
    expect(third.threadId).toBeLessThan(later);
    expect(third.found).toBe(null);
  });

  test("does not delay a tenant's tasks until all of another's have run", async () => {
    const sandbox = open();
    const [busy, quiet] = [newTenant(), newTenant()];
    const order: string[] = [];
    const run = (tenantId: TenantId, source: string, name: string) =>
      evaluate(new ProcessorBudget(tenantId, 60_000, sandbox), source).then(() => order.push(name));
    const many = Array.from({ length: 20 }, () => run(busy, "$sum([1..20000].($ * 2))", "busy"));
    await Promise.all([...many, run(quiet, "1", "quiet")]);
    expect(order.indexOf("quiet")).toBeLessThan(19);
  });

  test("does not let a task change shared prototypes", { tags: "nightly" }, async () => {
    const budget = testProcessor(60_000, open());
    expect((await budget.run(stateTask, "", 60_000)).isSealed).toBe(true);
  });

  test("gives its threads no environment variables, such as the credentials of the function", async () => {
    const { environment } = await leave(open(), newTenant(), "");
    expect(environment).toEqual([]);
  });

  test("fails waiting tasks when it is closed", async () => {
    const sandbox = open();
    const task = evaluate(testProcessor(60_000, sandbox), catastrophic);
    const failed = expect(task).rejects.toThrow("closed");
    await sandbox.close();
    await failed;
  });
});

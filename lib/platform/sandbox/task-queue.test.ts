import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { TenantId } from "../db/tenant-id.ts";
import { TaskQueue } from "./task-queue.ts";

const [a, b, c] = [1, 2, 3].map(() => TenantId.parse(randomUUID()));

const task = (tenantId: TenantId | undefined, name: string, usedMs = 0) => {
  if (tenantId === undefined) throw new Error("no tenant");
  return { name, payer: { tenantId, usedMs } };
};

type Task = ReturnType<typeof task>;

/** Takes every task; each uses `ms` of processor time. */
const takeAll = (queue: TaskQueue<Task>, ms: number): string => {
  const names: string[] = [];
  for (let next = queue.take(); next; next = queue.take()) {
    names.push(next.name);
    queue.spend(ms);
  }
  return names.join(" ");
};

describe("waiting tasks", () => {
  test("of one tenant are ordered by the time that their units of work have used", () => {
    const queue = new TaskQueue<Task>();
    for (const [name, used] of [
      ["heavy", 9],
      ["light", 1],
      ["middle", 5],
    ] as const) {
      queue.add(task(a, name, used));
    }
    expect(takeAll(queue, 1)).toBe("light middle heavy");
  });

  test("of several tenants take turns, of which the one that has waited longest has the next", () => {
    const queue = new TaskQueue<Task>();
    for (const name of ["a1", "a2", "a3"]) queue.add(task(a, name));
    for (const name of ["b1", "b2", "b3"]) queue.add(task(b, name));
    queue.add(task(c, "c1"));
    expect(takeAll(queue, 60)).toBe("a1 a2 b1 b2 c1 a3 b3");
  });

  test("of a tenant are not passed for long by another's that are added all the time", () => {
    const queue = new TaskQueue<Task>();
    queue.add(task(a, "a"));
    queue.add(task(b, "b", 1_000));
    const taken: string[] = [];
    for (let at = 0; at < 4; at += 1) {
      taken.push(queue.take()?.name ?? "");
      queue.spend(60);
      queue.add(task(a, "a"));
    }
    expect(taken).toEqual(["a", "a", "b", "a"]);
  });
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { budgets, budgetsExceeded } from "./budgets.ts";
import { type Count, countUnit } from "./count-unit.ts";
import { type CountedStack, startCountedStack } from "./counted-stack.ts";
import { renderTable } from "./table.ts";
import { createUnits } from "./units.ts";

const effort = { warmups: 1, samples: 2 };

let stack: CountedStack;
let closeUnits: () => Promise<void>;
const counted = new Map<string, Count[]>();

beforeAll(async () => {
  stack = await startCountedStack({ ALLOW_PRIVATE_ADDRESSES: "true" });
  const { units, close } = await createUnits(stack, [0, 1, 10]);
  closeUnits = close;
  for (const unit of units) {
    const { counts } = await countUnit(stack, unit, effort);
    counted.set(unit.name, counts);
  }
});
afterAll(async () => {
  await closeUnits?.();
  await stack?.close();
});

test("no unit of work makes more calls or consumes more capacity units than its budget", () => {
  const exceeded = budgetsExceeded(counted);
  const columns = ["unit of work", "counter", "budget", "counted"];
  expect(exceeded, renderTable({ title: "budgets exceeded", columns, rows: exceeded })).toEqual([]);
});

test("every unit of work has a budget", () => {
  expect([...counted.keys()]).toEqual(Object.keys(budgets));
});

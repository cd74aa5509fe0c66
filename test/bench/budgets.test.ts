import { afterAll, beforeAll, expect, test } from "vitest";
import { budgets, budgetsExceeded } from "./budgets.ts";
import { asCollaborator, type CollaboratorStack } from "./collaborator.ts";
import { type Count, countUnit, medianCount } from "./count-unit.ts";
import { startCountedStack } from "./counted-stack.ts";
import { renderTable } from "./table.ts";
import { createUnits } from "./units.ts";

const effort = { warmups: 1, samples: 3 };

let stack: CollaboratorStack;
let closeUnits: () => Promise<void>;
const counted = new Map<string, Count[]>();

beforeAll(async () => {
  stack = await asCollaborator(await startCountedStack({ ALLOW_PRIVATE_ADDRESSES: "true" }));
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

test("an execution takes at most 4 calls, whoever starts it", async () => {
  const path = `${stack.tenantPath}/agents/three:execute`;
  const calls: Record<string, number> = {};
  for (const [name, caller] of Object.entries(stack.callers)) {
    const work = () => stack.sendAs(caller, path, { input: { name: "you" } });
    const { counts } = await countUnit(stack, { name, work }, effort);
    calls[name] = medianCount(counts).calls;
  }
  expect(calls).toEqual({ "service key": 4, "collaborator's key": 4, collaborator: 4 });
});

test("every unit of work has a budget", () => {
  expect([...counted.keys()]).toEqual(Object.keys(budgets));
});

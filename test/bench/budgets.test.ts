import { afterAll, beforeAll, expect, test } from "vitest";
import { isNightly } from "../harness/runs.ts";
import { budgets, budgetsExceeded } from "./budgets.ts";
import { asCollaborator, type CollaboratorStack } from "./collaborator.ts";
import { readCounts } from "./costs/prices.ts";
import { type Count, countUnit, medianCount } from "./count-unit.ts";
import { startCountedStack } from "./counted-stack.ts";
import { trackProcessorTime } from "./processor-time.ts";
import { renderTable } from "./table.ts";
import { createUnits, type Unit } from "./units.ts";

let stack: CollaboratorStack;
let closeUnits: () => Promise<void>;
const counted = new Map<string, Count[]>();

/** On a busy machine fewer runs of an experiment end together, which takes more calls: the nightly run counts it, alone. */
const variable = ["experiment, 20 runs"];

/** Further pairs of counts of a unit, where those before are not enough. */
const maxMore = 3;

/**
 * Counts a unit once on warm functions, and again if that is not enough: leases that end, and polls of a busy machine, add
 * calls to single counts.
 */
const countUntil = async (unit: Unit, isEnough: (counts: Count[]) => boolean): Promise<Count[]> => {
  const { counts } = await countUnit(stack, unit, { warmups: 1, samples: 1 });
  for (let more = 0; more < maxMore && !isEnough(counts); more += 1) {
    counts.push(...(await countUnit(stack, unit, { warmups: 0, samples: 2 })).counts);
  }
  return counts;
};

const countedCalls = (unit: string): number => medianCount(counted.get(unit) ?? []).calls;

beforeAll(async () => {
  stack = await asCollaborator(await startCountedStack({ ALLOW_PRIVATE_ADDRESSES: "true" }));
  const { units, close } = await createUnits(stack, [0, 1, 10]);
  closeUnits = close;
  for (const unit of units.filter(({ name }) => isNightly || !variable.includes(name))) {
    const isEnough = (counts: Count[]) =>
      budgetsExceeded(new Map([[unit.name, counts]])).length === 0;
    counted.set(unit.name, await countUntil(unit, isEnough));
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

test("an execution that only computes takes 3 calls, whatever starts it", async () => {
  const path = `${stack.tenantPath}/agents/three:execute`;
  const calls: Record<string, number> = {};
  for (const [name, caller] of Object.entries(stack.callers)) {
    const work = () => stack.sendAs(caller, path, { input: { name: "you" } });
    const counts = await countUntil({ name, work }, ([count]) => count?.calls === 3);
    calls[name] = medianCount(counts).calls;
  }
  expect(calls).toEqual({ "service key": 3, "collaborator's key": 3, collaborator: 3 });
});

test("an execution without guardrails makes no more calls than before there were any", () => {
  const { units } = readCounts();
  const kinds = ["3 steps", "model call", "session", "remote model", "background"];
  const more = kinds
    .map((kind) => `execute, ${kind}`)
    .filter((unit) => countedCalls(unit) > (units[unit]?.calls ?? 0));
  expect(more).toEqual([]);
});

test("a guardrail adds two calls to an execution, one that asks a model four, of which one writes its start, and a request of OpenAI's clients none", () => {
  const units = ["execute, guardrail", "execute, Judge", "OpenAI response, 3 steps"];
  const plain = countedCalls("execute, 3 steps");
  expect(units.map((unit) => [unit, countedCalls(unit) - plain])).toEqual([
    ["execute, guardrail", 2],
    ["execute, Judge", 4],
    ["OpenAI response, 3 steps", 0],
  ]);
});

test("every count has the lines that its own invocations log, and no others", async () => {
  const path = `${stack.tenantPath}/agents/three:execute`;
  const work = () => stack.send("POST", path, { input: { name: "you" } });
  const processor = trackProcessorTime();
  const effort = { warmups: 1, samples: 3 };
  const { counts } = await countUnit(stack, { name: "execute", work }, effort, processor);
  processor.stop();
  const lines = (readCounts().units["execute, 3 steps"]?.logBytes ?? 0) / 10;
  expect(counts.map(({ logBytes }) => Math.round(logBytes / lines))).toEqual([10, 10, 10]);
});

test("every unit of work has a budget", () => {
  const all = Object.keys(budgets);
  expect(all).toEqual(expect.arrayContaining(variable));
  const now = isNightly ? all : all.filter((name) => !variable.includes(name));
  expect([...counted.keys()]).toEqual(now);
});

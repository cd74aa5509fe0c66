import jsonata from "jsonata";
import { runFlow } from "../../lib/engine/flow/run-flow.ts";
import { compiled, flowOptions } from "../harness/flow.ts";
import type { Topic } from "./bench.ts";
import { interleave } from "./interleave.ts";
import { langGraphChain, loadLangGraph } from "./langgraph.ts";
import { median } from "./statistics.ts";
import type { Cell } from "./table.ts";

const lengths = [10, 50, 200];
const expression = "steps.before.output.count + 1";
const round = (length: number): number => Math.ceil(400 / length);

/**
 * Overhead of the flow engine per step, compared to evaluating the step's expression alone and, with the directory of a
 * LangGraph, to the same chain there.
 */
export const engine =
  (directory?: string): Topic =>
  async ({ short }) => {
    const langGraph = directory === undefined ? undefined : await loadLangGraph(directory);
    const rows: Cell[][] = [];
    for (const length of lengths) {
      const chains = [
        await createChain(length),
        createBareChain(length),
        ...(langGraph ? [langGraphChain(langGraph, { length, expression })] : []),
      ].map((run) => ({ run, times: [] as number[] }));
      for (const { run } of chains) await repeat(run, round(length));
      await interleave(
        chains.map(({ run, times }) => async () => {
          times.push((await repeat(run, round(length))) / length);
        }),
        { turns: 25, seconds: short ? 0.3 : 1.5 },
      );
      const [ours = 0, alone = 0, ...theirs] = chains.map(({ times }) => median(times));
      rows.push([length, ours, alone, ours - alone, ...theirs.map((time) => time - alone)]);
    }
    return {
      title: "engine: a chain of Transform steps in this process, without storage",
      columns: [
        "steps",
        "µs per step",
        "expression alone, µs",
        "overhead per step, µs",
        ...(langGraph ? ["LangGraph's overhead, µs"] : []),
      ],
      rows,
    };
  };

const createChain = async (length: number): Promise<() => Promise<unknown>> => {
  const steps = Array.from({ length }, (_, at) => ({
    id: `s${at}`,
    type: "Transform",
    value: { count: at === 0 ? "{% input.count %}" : `{% steps.s${at - 1}.output.count + 1 %}` },
  }));
  const edges = steps.slice(1).map(({ id }, at) => `s${at}>${id}`);
  const flow = compiled(steps, edges);
  const deps = { ...flowOptions().deps, clock: Date.now };
  const run = () =>
    runFlow(flow, flowOptions({ input: { count: 0 }, deps, deadline: Date.now() + 60_000 }));
  const { status } = await run();
  if (status !== "Succeeded") throw new Error(`the chain of ${length} steps ended ${status}`);
  return run;
};

const createBareChain = (length: number): (() => Promise<void>) => {
  const parsed = jsonata(expression);
  return async () => {
    let count = 0;
    for (let at = 0; at < length; at += 1) {
      count = await parsed.evaluate({ steps: { before: { output: { count } } } });
    }
  };
};

/** Returns the microseconds per run. */
const repeat = async (work: () => Promise<unknown>, times: number): Promise<number> => {
  const startedAt = performance.now();
  for (let turn = 0; turn < times; turn += 1) await work();
  return ((performance.now() - startedAt) * 1_000) / times;
};

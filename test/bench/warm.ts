import * as z from "zod";
import { routes } from "../../functions/routes.ts";
import { sampleHttpEvent } from "../suites/sample-event.ts";
import { buildBareFunctions } from "./bare-functions.ts";
import type { Topic } from "./bench.ts";
import { startChild } from "./child.ts";
import { interleave } from "./interleave.ts";
import { median } from "./statistics.ts";
import type { Cell } from "./table.ts";

/** Operations with the bare functions that they are compared to, and the calls of one turn. */
const operations: readonly [string, number][] = [
  ["get-current-api-key", 600],
  ["get-agent", 400],
  ["execute-agent", 150],
];

const Used = z.object({ cpuMicroseconds: z.number() });

/** Processor time of a warm function per call, which Lambda charges for, compared to a bare function. */
export const warm: Topic = async ({ short, stack }) => {
  const product = await stack();
  const bares = await buildBareFunctions(operations.map(([operation]) => operation));
  try {
    const rows: Cell[][] = [];
    for (const [operation, calls] of operations) {
      const row = routes.find((route) => route.operation === operation);
      if (!row) throw new Error(`there is no ${operation}`);
      const { file, environment } = product.findFunction(operation);
      const event = JSON.stringify(sampleHttpEvent(row, product.apiKey));
      const used: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
      const measured = [
        { file, times: used.ours },
        { file: bares.fileFor(operation), times: used.bare },
      ];
      const children = await Promise.all(
        measured.map(async ({ file, times }) => {
          const child = startChild(new URL("warm-child.ts", import.meta.url), environment);
          await child.ask({ file, event }, Used);
          const run = async (calls: number) =>
            (await child.ask({ calls }, Used)).cpuMicroseconds / 1_000;
          await run(calls);
          return { close: child.close, measure: async () => times.push(await run(calls)) };
        }),
      );
      await interleave(
        children.map(({ measure }) => measure),
        short ? { turns: 1, seconds: 1 } : { turns: 9, seconds: 30 },
      );
      for (const { close } of children) await close();
      const [ours, theirs] = [median(used.ours), median(used.bare)];
      rows.push([
        operation,
        ours,
        theirs,
        median(used.ours.map((time, turn) => time / (used.bare[turn] ?? Number.NaN))),
      ]);
    }
    return {
      title: "warm: processor time of a function per call, one call at a time",
      columns: ["function", "CPU, ms", "bare: CPU, ms", "CPU to bare"],
      rows,
      notes: ["A bare function makes the same storage calls one after another, and nothing else."],
    };
  } finally {
    bares.remove();
  }
};

import { routes } from "../../functions/routes.ts";
import { sampleHttpEvent } from "../suites/sample-event.ts";
import { buildBareFunctions } from "./bare-functions.ts";
import type { Topic } from "./bench.ts";
import { type FirstCall, firstCall } from "./first-call.ts";
import { interleave } from "./interleave.ts";
import { median } from "./statistics.ts";
import type { Cell } from "./table.ts";

/** Operations with the bare functions that they are compared to. */
const operations = ["get-health", "get-current-api-key", "get-agent", "execute-agent"];

/** Time of a process that starts, loads a function and responds to one call, compared to a bare function. */
export const coldStart: Topic = async ({ short, stack }) => {
  const product = await stack();
  const bares = await buildBareFunctions(operations);
  try {
    const rows: Cell[][] = [];
    for (const operation of operations) {
      const row = routes.find((route) => route.operation === operation);
      if (!row) throw new Error(`there is no ${operation}`);
      const { file, environment } = product.findFunction(operation);
      const event = JSON.stringify(sampleHttpEvent(row, product.apiKey));
      const start = { ours: file, bare: bares.fileFor(operation) };
      const calls: Record<keyof typeof start, FirstCall[]> = { ours: [], bare: [] };
      // The first of each fills the file cache and is not counted.
      await firstCall(start.ours, event, environment);
      await firstCall(start.bare, event, environment);
      await interleave(
        [
          async () => calls.ours.push(await firstCall(start.ours, event, environment)),
          async () => calls.bare.push(await firstCall(start.bare, event, environment)),
        ],
        short ? { turns: 1, seconds: 1 } : { turns: 15, seconds: 4 },
      );
      rows.push([operation, ...toCells(calls.ours), ...toCells(calls.bare), ratio(calls)]);
    }
    return {
      title: "cold start: Node, import and first call in a new process",
      columns: [
        "function",
        "ms",
        "import, ms",
        "call, ms",
        "CPU, ms",
        "bare: ms",
        "import, ms",
        "call, ms",
        "CPU, ms",
        "ms to bare",
      ],
      rows,
      notes: ["A bare function makes the same storage calls one after another, and nothing else."],
    };
  } finally {
    bares.remove();
  }
};

const toCells = (calls: readonly FirstCall[]): Cell[] => [
  median(calls.map(({ total }) => total)),
  median(calls.map(({ load }) => load)),
  median(calls.map(({ call }) => call)),
  median(calls.map(({ cpu }) => cpu)),
];

const ratio = ({ ours, bare }: { ours: FirstCall[]; bare: FirstCall[] }): number =>
  median(ours.map(({ total }) => total)) / median(bare.map(({ total }) => total));

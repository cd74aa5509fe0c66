import type { Injected } from "./fault-proxy.ts";

/** The outcome of a scenario. */
export type Outcome = { name: string; units: number; broken: readonly string[] };

/** Formats what was injected and what became of each kind of work. */
export const formatReport = (
  injected: Injected,
  outcomes: readonly Outcome[],
  kills: number,
): string => {
  const faults = new Map<string, Map<string, number>>();
  for (const [name, count] of injected) {
    const [fault = "", operation = ""] = name.split(" / ");
    const operations = faults.get(fault) ?? new Map<string, number>();
    operations.set(operation, count);
    faults.set(fault, operations);
  }
  const rows = [...faults].map(([fault, operations]) => {
    const total = [...operations.values()].reduce((sum, count) => sum + count, 0);
    const counts = [...operations].map(([operation, count]) => `${operation} ${count}`).join(", ");
    return `${fault.padEnd(42)}${String(total).padStart(7)}  ${counts}`;
  });
  const results = outcomes.map(({ name, units, broken }) => {
    const result = broken.length === 0 ? "survived" : `${broken.length} broken`;
    return `${name.padEnd(42)}${String(units).padStart(7)}  ${result}`;
  });
  return [
    `${"Fault".padEnd(42)}${"Count".padStart(7)}  Operations`,
    ...rows.toSorted(),
    `${"kill -9 and restart".padEnd(42)}${String(kills).padStart(7)}`,
    "",
    `${"Work".padEnd(42)}${"Units".padStart(7)}  Result`,
    ...results,
    ...outcomes.flatMap(({ name, broken }) =>
      broken.map((problem) => `BROKEN ${name}: ${problem}`),
    ),
  ].join("\n");
};

import type { Edition } from "./n8n.ts";
import { median } from "./statistics.ts";
import type { Cell, Table } from "./table.ts";

/** Measurements of one unit of work: a figure per round, of this product and of n8n in each edition. */
export type RivalWork = {
  name: string;
  /** Unit of the figures; of `ms`, less is better. */
  unit: "per second" | "ms";
  wharf: readonly number[];
  n8n: Readonly<Record<Edition, readonly number[]>>;
};

/** The setup of the measurement. */
export type RivalSetup = {
  version: string;
  settings: Readonly<Record<Edition, Readonly<Record<string, string>>>>;
  connections: number;
  rounds: number;
};

const editions: readonly Edition[] = ["as shipped", "tuned"];

/** Builds the table: for each unit of work, n8n as it is shipped and tuned, with medians and ranges of the rounds. */
export const rivalTable = (works: readonly RivalWork[], setup: RivalSetup): Table => {
  const rows = works.flatMap((work) => editions.map((edition) => toRow(work, edition)));
  return {
    title: `rivals: compared to n8n ${setup.version}, ${setup.connections} connections where nothing else is said`,
    columns: ["unit of work", "n8n", "Wharf", "range", "n8n's", "range", "to n8n"],
    rows: rows.map(({ work, edition, unit, wharf, n8n, ratio }): Cell[] => [
      `${work}, ${unit}`,
      edition,
      wharf.median,
      formatRange(wharf),
      n8n.median,
      formatRange(n8n),
      ratio,
    ]),
    notes: [
      `Medians and ranges of ${setup.rounds} rounds, in turns. \`to n8n\`: how many times as fast. In n8n a workflow is the agent.`,
      ...editions.map((edition) => `${edition}: ${formatSettings(setup.settings[edition])}.`),
    ],
    data: { ...setup, rows },
  };
};

const toRow = ({ name, unit, wharf, n8n }: RivalWork, edition: Edition) => {
  const [ours, theirs] = [summarize(wharf), summarize(n8n[edition])];
  const ratio = unit === "ms" ? theirs.median / ours.median : ours.median / theirs.median;
  return { work: name, edition, unit, wharf: ours, n8n: theirs, ratio };
};

type Summary = { median: number; least: number; most: number };

const summarize = (figures: readonly number[]): Summary => ({
  median: median(figures),
  least: Math.min(...figures),
  most: Math.max(...figures),
});

const formatRange = ({ least, most }: Summary): string => {
  const digits = most < 20 ? 1 : 0;
  return `${least.toFixed(digits)} to ${most.toFixed(digits)}`;
};

const formatSettings = (settings: Readonly<Record<string, string>>): string => {
  const named = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  return named.length === 0 ? "n8n's own settings" : named.join(", ");
};

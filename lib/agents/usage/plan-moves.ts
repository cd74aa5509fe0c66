import { attribute, attributeLike, takeRow } from "./distribute.ts";
import { mapMeasures } from "./measures.ts";
import type { ModelName } from "./stored-names.ts";
import { addUnits, isAny, noUnits, subtractUnits, type Units } from "./units.ts";

/** A day (`2026-11-22`, UTC) and trigger type. */
export type DayAndTrigger = { day: string; trigger: number };

/** Executions of a day and trigger type, and how many of them called models. */
export type KnownUsage = DayAndTrigger & { units: Units; callers: bigint };

/** Counter without a day: of a model's calls, or, without a model, of whole executions. */
export type UndatedCounter = {
  sk: string;
  model: ModelName | undefined;
  units: Units;
  /** How often a part of it was moved. */
  moves: number;
};

/** Moves of one transaction: it replaces undated counters by what is `left` of them, and adds to counters of days. */
export type Move = {
  from: readonly { counter: UndatedCounter; left: Units | undefined }[];
  to: readonly DayCounts[];
};

/** Amounts that are added to the counters of a day and trigger type. */
export type DayCounts = DayAndTrigger & {
  /** Differs between moves of one plan that have other models. */
  part: number;
  executions: Units;
  models: readonly { model: ModelName; units: Units }[];
};

/** A transaction has 100 writes, one of which is the check of the agent. */
const writes = 99;
const countersAtOnce = 60;
/** An update has 300 operators, and a model 11 measures. */
const modelsAtOnce = 20;
/** Place of the day to which usage without a record belongs. */
const earliest = 0;

/**
 * Plans how the undated counters of a revision are moved to days. Every sum stays the same. The days are those of
 * `known`, the revision's executions that are not counted by day, oldest first; what exceeds them belongs to the first.
 */
export function* planMoves(
  counters: readonly UndatedCounter[],
  known: readonly KnownUsage[],
): Generator<Move> {
  const columns = {
    executions: executionColumns(counters, known),
    models: modelColumns(counters, known),
  };
  const failed = known.map(({ units }) => units.failedCount);
  for (const [part, batch] of batchesOf(counters).entries()) {
    const rows = batch.map(({ model, units }) =>
      takeRow(units, model ? columns.models : columns.executions),
    );
    const days = known.map((each, at): DayCounts => {
      const cells = batch.map(({ model }, row) => ({ model, units: rows[row]?.[at] ?? noUnits }));
      return { ...toDayCounts(each, cells, part), part };
    });
    for (const [at, { executions }] of days.entries()) {
      executions.failedCount = least(failed[at] ?? 0n, executions.executionCount);
      failed[at] = (failed[at] ?? 0n) - executions.failedCount;
    }
    yield* sliceMoves(batch, rows, days);
  }
}

/** The executions of each day. Counters of whole executions repeat the other measures of the models. */
const executionColumns = (
  counters: readonly UndatedCounter[],
  known: readonly KnownUsage[],
): Units[] => {
  const { executionCount } = sumOf(counters.filter(({ model }) => model === undefined));
  const weights = known.map(({ units }) => units.executionCount);
  return attribute(executionCount, weights, earliest).map((count) => ({
    ...noUnits,
    executionCount: count,
  }));
};

/**
 * The models' measures of each day. Records have neither the thinking tokens, which are divided as the output tokens,
 * nor the models that an execution called.
 */
const modelColumns = (
  counters: readonly UndatedCounter[],
  known: readonly KnownUsage[],
): Units[] => {
  const sums = sumOf(counters.filter(({ model }) => model !== undefined));
  const by = mapMeasures((name) => {
    const weights = known.map(({ units }) => units[name]);
    return attribute(sums[name], weights, earliest);
  });
  by.failedCount = known.map(() => 0n);
  by.thinkingTokens = attributeLike(
    sums.thinkingTokens,
    [by.thinkingCost, by.outputTokens],
    earliest,
  );
  const callers = known.map((each) => each.callers);
  by.executionCount = attributeLike(sums.executionCount, [callers], earliest);
  return known.map((_, at) => mapMeasures((name) => by[name][at] ?? 0n));
};

const sumOf = (counters: readonly UndatedCounter[]): Units =>
  counters.reduce((sum, { units }) => addUnits(sum, units), noUnits);

/**
 * Divides counters into those of one transaction. Whole executions come last: until they are moved, a repeated plan
 * knows on which days they were.
 */
const batchesOf = (counters: readonly UndatedCounter[]): UndatedCounter[][] => {
  const batches: UndatedCounter[][] = [];
  let models = new Set<string>();
  for (const counter of counters.toSorted((one, other) => compare(orderOf(one), orderOf(other)))) {
    const batch = batches.at(-1);
    models.add(nameOf(counter));
    if (batch && batch.length < countersAtOnce && models.size <= modelsAtOnce) batch.push(counter);
    else {
      batches.push([counter]);
      models = new Set([nameOf(counter)]);
    }
  }
  return batches;
};

const nameOf = ({ model }: UndatedCounter): string =>
  model ? `${model.providerId}/${model.modelId}` : "";
const orderOf = (counter: UndatedCounter): string =>
  `${counter.model ? 0 : 1}${nameOf(counter)}\n${counter.sk}`;
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const toDayCounts = (
  { day, trigger }: DayAndTrigger,
  cells: readonly { model: ModelName | undefined; units: Units }[],
  part: number,
): DayCounts => {
  const models = new Map<string, { model: ModelName; units: Units }>();
  let executions = noUnits;
  for (const { model, units } of cells) {
    if (!model) executions = addUnits(executions, units);
    else if (isAny(units)) {
      const name = `${model.providerId}/${model.modelId}`;
      const sum = addUnits(models.get(name)?.units ?? noUnits, units);
      models.set(name, { model, units: sum });
    }
  }
  return { day, trigger, part, executions: { ...executions }, models: [...models.values()] };
};

/** Divides a batch by days into transactions; the last one removes the counters. */
function* sliceMoves(
  batch: readonly UndatedCounter[],
  rows: readonly (readonly Units[])[],
  days: readonly DayCounts[],
): Generator<Move> {
  const used = [...days.keys()].filter((at) => {
    const day = days[at];
    return day !== undefined && (isAny(day.executions) || day.models.length > 0);
  });
  const daysAtOnce = writes - batch.length;
  let counters = batch;
  for (let start = 0; start === 0 || start < used.length; start += daysAtOnce) {
    const slice = used.slice(start, start + daysAtOnce);
    const isLast = start + daysAtOnce >= used.length;
    const from = counters.map((counter, row) => {
      const moved = slice.map((at) => rows[row]?.[at] ?? noUnits).reduce(addUnits, noUnits);
      return { counter, left: isLast ? undefined : subtractUnits(counter.units, moved) };
    });
    yield { from, to: slice.flatMap((at) => days[at] ?? []) };
    counters = from.map(({ counter, left }) => ({
      ...counter,
      units: left ?? noUnits,
      moves: counter.moves + 1,
    }));
  }
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);

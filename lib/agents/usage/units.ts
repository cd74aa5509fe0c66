import { isCost, type Measures, mapMeasures } from "./measures.ts";

/** Measures as whole numbers: executions, tokens, and costs in 10⁻¹² US dollars, to which costs are rounded. */
export type Units = Record<keyof Measures, bigint>;

const decimals = 12;

/** Converts measures; absent ones are 0. */
export const toUnits = (measures: Partial<Measures>): Units =>
  mapMeasures((name) => {
    const amount = measures[name] ?? 0;
    return isCost(name)
      ? BigInt(amount.toFixed(decimals).replace(".", ""))
      : BigInt(Math.round(amount));
  });

/** Converts units back to measures. */
export const fromUnits = (units: Units): Measures =>
  mapMeasures((name) => {
    const amount = Number(units[name]);
    return isCost(name) ? amount / 10 ** decimals : amount;
  });

/** No units of anything. */
export const noUnits: Units = mapMeasures(() => 0n);

/** Adds up units. */
export const addUnits = (one: Units, other: Units): Units =>
  mapMeasures((name) => one[name] + other[name]);

/** Subtracts units. */
export const subtractUnits = (from: Units, what: Units): Units =>
  mapMeasures((name) => from[name] - what[name]);

/** Returns whether there is any unit. */
export const isAny = (units: Units): boolean =>
  Object.values(units).some((amount) => amount !== 0n);

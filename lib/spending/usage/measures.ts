import { createHash } from "node:crypto";
import { dollars } from "../../engine/models/sums.ts";

/** Measures of a counter: executions, tokens and US dollars. */
export type Measures = {
  executionCount: number;
  failedCount: number;
  /** Those that called a model without a price. */
  unpricedCount: number;
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  thinkingTokens: number;
  inputCost: number;
  outputCost: number;
  cachedCost: number;
  thinkingCost: number;
  totalCost: number;
};

/** Builds an object with a value for each measure. */
export const mapMeasures = <Value>(
  of: (name: keyof Measures) => Value,
): Record<keyof Measures, Value> => ({
  executionCount: of("executionCount"),
  failedCount: of("failedCount"),
  unpricedCount: of("unpricedCount"),
  inputTokens: of("inputTokens"),
  outputTokens: of("outputTokens"),
  cachedTokens: of("cachedTokens"),
  thinkingTokens: of("thinkingTokens"),
  inputCost: of("inputCost"),
  outputCost: of("outputCost"),
  cachedCost: of("cachedCost"),
  thinkingCost: of("thinkingCost"),
  totalCost: of("totalCost"),
});

/** None of anything. */
export const noMeasures: Measures = mapMeasures(() => 0);

/** Adds up measures; absent ones are 0. Each addition is rounded, so that the sum does not depend on the order. */
export const sumMeasures = (all: readonly Partial<Measures>[]): Measures =>
  mapMeasures((name) => {
    if (!isCost(name)) return all.reduce((sum, entry) => sum + (entry[name] ?? 0), 0);
    return all.reduce(
      (sum, { [name]: amount = 0 }) => (amount === 0 ? sum : dollars(sum + amount)),
      0,
    );
  });

/** Returns whether a measure is an amount of US dollars. */
export const isCost = (name: keyof Measures): boolean => name.endsWith("Cost");

/** Measures of a counter, with the short name under which it is stored. */
const letters = [
  ["executionCount", "n"],
  ["failedCount", "f"],
  ["unpricedCount", "u"],
  ["inputTokens", "i"],
  ["outputTokens", "o"],
  ["cachedTokens", "c"],
  ["thinkingTokens", "t"],
  ["inputCost", "I"],
  ["outputCost", "O"],
  ["cachedCost", "C"],
  ["thinkingCost", "T"],
  ["totalCost", "$"],
] as const satisfies [keyof Measures, string][];
/** A model of a provider. */
export type ModelName = { providerId: string; modelId: string };

const tokenLength = 8;

/**
 * Returns the attributes of measures: of a model by its token, of whole executions by an empty one. Measures of 0 are
 * not stored.
 */
export const toAttributes = (measures: Partial<Measures>, token: string): [string, number][] =>
  letters.flatMap(([measure, letter]): [string, number][] => {
    const amount = measures[measure] ?? 0;
    return amount === 0 ? [] : [[token + letter, amount]];
  });

/** Reads the measures that `toAttributes` stored. */
export const fromAttributes = (item: Record<string, unknown>, token: string): Measures => {
  const measures = { ...noMeasures };
  for (const [measure, letter] of letters) {
    const amount = item[token + letter];
    if (typeof amount === "number") measures[measure] = amount;
  }
  return measures;
};

/** Returns the short text that the attributes of a name begin with. */
export const hashName = (name: string): string =>
  createHash("sha256").update(name).digest("base64url").slice(0, tokenLength);

/** Returns a model's token, which its attributes begin with, and its name: a member of the set `m`. */
export const toStoredModel = ({
  providerId,
  modelId,
}: ModelName): { token: string; name: string } => {
  const name = `${providerId}/${modelId}`;
  const token = hashName(name);
  return { token, name: token + name };
};

/** Reads a member of the set `m`. A provider's id has no slash. */
export const fromStoredModel = (name: string): ModelName & { token: string } => {
  const slash = name.indexOf("/");
  return {
    token: name.slice(0, tokenLength),
    providerId: name.slice(tokenLength, slash),
    modelId: name.slice(slash + 1),
  };
};

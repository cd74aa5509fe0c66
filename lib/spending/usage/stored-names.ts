import { createHash } from "node:crypto";
import { type Measures, noMeasures } from "./measures.ts";

/** Measures of a counter, with the short name under which each is stored. */
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

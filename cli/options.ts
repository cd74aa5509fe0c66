import { InvalidArgumentError } from "commander";
import { didYouMean } from "../lib/platform/http/nearest-name.ts";
import type { OptionRow } from "./command.ts";

/** A required argument. */
export const argument = (description: string) => ({ description, required: true }) as const;

/** One or more arguments, after all others. */
export const argumentList = (description: string) =>
  ({ description, required: true, isList: true }) as const;

/** An optional argument. */
export const optionalArgument = (description: string) =>
  ({ description, required: false }) as const;

/** An option without a value. */
export const flag = (description: string): OptionRow<boolean> => ({ description, initial: false });

/** An option without a value that turns off a default; `name` is shown as `--no-name`. */
export const unless = (description: string): OptionRow<boolean> => ({
  description,
  initial: true,
  isNegated: true,
});

/** An option with a text. */
export const text = (value: string, description: string): OptionRow<string | undefined> => ({
  value,
  description,
  initial: undefined,
});

/** A required option with a text. @public */
export const requiredText = (value: string, description: string): OptionRow<string> => ({
  value,
  description,
  initial: "",
  required: true,
});

/** An option with a positive integer. */
export const positive = (description: string): OptionRow<number | undefined> => ({
  value: "n",
  description,
  initial: undefined,
  parse: parsePositive,
});

/** The number of a revision, or the latest one. */
export type RevisionChoice = number | "latest";

/** A required option with a revision that can be repeated. */
export const requiredRevisions = (description: string): OptionRow<readonly RevisionChoice[]> => ({
  value: "n|latest",
  description,
  initial: [],
  required: true,
  parse: (given, earlier) => [...earlier, parseRevision(given)],
});

/** An option with a positive number. */
export const amount = (value: string, description: string): OptionRow<number | undefined> => ({
  value,
  description,
  initial: undefined,
  parse: parseAmount,
});

/** An option with one of several words. @public */
export const optionalChoice = <const Choice extends string>(
  value: string,
  choices: readonly Choice[],
  description: string,
): OptionRow<Choice | undefined> => ({
  value,
  description,
  choices,
  initial: undefined,
  parse: (given) => parseChoice(given, choices),
});

/** A required option with one of several words. */
export const requiredChoice = <const Choice extends string>(
  value: string,
  choices: readonly [Choice, ...Choice[]],
  description: string,
): OptionRow<Choice> => ({
  value,
  description,
  choices,
  initial: choices[0],
  required: true,
  parse: (given) => parseChoice(given, choices),
});

/** An option that can be repeated. @public */
export const texts = (value: string, description: string): OptionRow<readonly string[]> => ({
  value,
  description,
  initial: [],
  parse: (given, earlier) => [...earlier, given],
});

/** A required option that can be repeated. */
export const requiredTexts = (
  value: string,
  description: string,
): OptionRow<readonly string[]> => ({
  ...texts(value, description),
  required: true,
});

const parseChoice = <Choice extends string>(given: string, choices: readonly Choice[]): Choice => {
  const choice = choices.find((word) => word === given);
  if (choice !== undefined) return choice;
  const known = `It must be one of ${choices.join(", ")}`;
  const detail = didYouMean(known, given, choices);
  throw new InvalidArgumentError(detail === known ? `${known}.` : detail);
};

const parseAmount = (given: string): number => {
  const amount = /^\d+(?:\.\d+)?$/.test(given) ? Number(given) : 0;
  if (!(amount > 0)) throw new InvalidArgumentError("It must be a positive number, such as 2.50.");
  return amount;
};

const parseRevision = (given: string): RevisionChoice => {
  if (given === "latest") return given;
  if (!/^[1-9]\d{0,8}$/.test(given)) {
    throw new InvalidArgumentError("It must be the number of a revision, or latest.");
  }
  return Number(given);
};

const parsePositive = (given: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(given))
    throw new InvalidArgumentError("It must be a positive integer.");
  return Number(given);
};

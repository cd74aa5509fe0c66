import { InvalidArgumentError } from "commander";
import type { OptionRow } from "./command.ts";

/** A required argument. */
export const argument = (description: string) => ({ description, required: true }) as const;

/** One or more arguments, after all others. */
export const argumentList = (description: string) =>
  ({ description, required: true, isList: true }) as const;

/** An optional argument. @public */
export const optionalArgument = (description: string) =>
  ({ description, required: false }) as const;

/** An option without a value. */
export const flag = (description: string): OptionRow<boolean> => ({ description, initial: false });

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

/** An option with one of several words. @public */
export const oneOf = <const Choice extends string>(
  value: string,
  choices: readonly Choice[],
  description: string,
): OptionRow<Choice | undefined> => ({
  value,
  description,
  choices,
  initial: undefined,
  parse: (given) => {
    const choice = choices.find((word) => word === given);
    if (choice === undefined) throw new InvalidArgumentError(`It must be ${choices.join(", ")}.`);
    return choice;
  },
});

/** An option that can be repeated. @public */
export const texts = (value: string, description: string): OptionRow<readonly string[]> => ({
  value,
  description,
  initial: [],
  parse: (given, earlier) => [...earlier, given],
});

const parsePositive = (given: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(given))
    throw new InvalidArgumentError("It must be a positive integer.");
  return Number(given);
};

import jsonata from "jsonata";
import { isRecord } from "../json/json.ts";
import { EvaluationBudget } from "./evaluation-budget.ts";
import { LimitError } from "./expression-error.ts";
import { sortValues } from "./sort-values.ts";

/** Variable that holds an evaluation's budget; no expression can contain its name. */
export const budgetName = "budget of this evaluation";

const names = [
  ..."sum count max min average string substring substringBefore substringAfter".split(" "),
  ..."lowercase uppercase length trim pad match contains replace split join formatNumber".split(
    " ",
  ),
  ..."formatBase formatInteger parseInteger number floor ceil round abs sqrt power".split(" "),
  ..."random boolean not map zip filter single reduce sift keys lookup append exists".split(" "),
  ..."spread merge reverse each error assert type sort shuffle distinct base64encode".split(" "),
  ..."base64decode encodeUrlComponent encodeUrl decodeUrlComponent decodeUrl".split(" "),
  ..."toMillis fromMillis clone".split(" "),
];

const maxTextLength = 1024 * 1024;
const maxPictureLength = 256;

type Native = (...args: readonly unknown[]) => unknown;
type Definition = {
  readonly _jsonata_function: true;
  readonly implementation: Native;
  readonly signature?: unknown;
};

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function lengthOf(value: unknown): number {
  return typeof value === "string" || Array.isArray(value) ? value.length : 0;
}

function refuseAbove(limit: number, amount: number, what: string): void {
  if (amount > limit) throw new LimitError(`goes beyond a limit: ${what} may be at most ${limit}`);
}

/** Checks before calls of functions whose cost can exceed the size of their arguments. */
const checks: {
  readonly [name: string]: (args: readonly unknown[], budget: EvaluationBudget) => void;
} = {
  pad([, width, char]) {
    const perCharacter = Math.max(1, asText(char).length);
    refuseAbove(maxTextLength, Math.abs(Number(width)) * perCharacter, "the width of $pad");
  },
  join([parts, separator]) {
    const total = lengthOf(parts) * lengthOf(separator);
    refuseAbove(maxTextLength * 16, total, "the length of what $join makes");
  },
  string([value, pretty], budget) {
    const bytes = budget.sizes.measure(value, false);
    if (pretty === true) refuseAbove(maxTextLength / 4, bytes, "what $string can make readable");
  },
  clone: ([value], budget) => void budget.sizes.measure(value, false),
  formatNumber: ([, picture]) => refusePicture(picture),
  formatInteger: ([, picture]) => refusePicture(picture),
  fromMillis: ([, picture]) => refusePicture(picture),
  toMillis([text, picture]) {
    refusePicture(picture);
    refusePicture(text);
  },
  parseInteger([text, picture]) {
    refusePicture(picture);
    refuseAbove(maxTextLength / 16, lengthOf(text), "the text for $parseInteger");
  },
};

function refusePicture(picture: unknown): void {
  refuseAbove(maxPictureLength, lengthOf(picture), "the length of a picture or date");
}

function budgetOf(focus: unknown): EvaluationBudget {
  const environment = isRecord(focus) ? focus.environment : undefined;
  const lookup = isRecord(environment) ? environment.lookup : undefined;
  const budget: unknown = typeof lookup === "function" ? lookup(budgetName) : undefined;
  if (!(budget instanceof EvaluationBudget))
    throw new LimitError("calls a function in no evaluation");
  return budget;
}

function guard(name: string, native: Definition): Definition {
  const check = checks[name];
  const original: Native = name === "sort" ? sortValues : native.implementation;
  const implementation = function (this: unknown, ...args: readonly unknown[]): unknown {
    const budget = budgetOf(this);
    budget.check();
    check?.(args, budget);
    const result: unknown = Reflect.apply(original, this, args);
    if (!(result instanceof Promise)) {
      budget.spendResult(result);
      return result;
    }
    return result.then((value: unknown) => {
      budget.spendResult(value);
      return value;
    });
  };
  // For partial application, jsonata reads the names and number of a function's parameters.
  Object.defineProperties(implementation, {
    length: { value: native.implementation.length },
    toString: { value: () => native.implementation.toString() },
  });
  return { ...native, implementation };
}

function isNative(value: unknown): value is Native {
  return typeof value === "function";
}

function isDefinition(value: unknown): value is Definition {
  return isRecord(value) && value._jsonata_function === true && isNative(value.implementation);
}

async function guardAll(): Promise<ReadonlyMap<string, Definition>> {
  const natives: unknown = await jsonata(`[${names.map((name) => `$${name}`).join()}]`).evaluate(
    {},
  );
  const guarded = new Map<string, Definition>();
  for (const [index, native] of (Array.isArray(natives) ? natives : []).entries()) {
    const name = names[index];
    if (name !== undefined && isDefinition(native)) guarded.set(name, guard(name, native));
  }
  const fromMillis = guarded.get("fromMillis");
  guarded.set(
    "millis",
    clockFunction((budget) => budget.clock()),
  );
  guarded.set(
    "now",
    clockFunction(
      (budget, focus, args) =>
        fromMillis && Reflect.apply(fromMillis.implementation, focus, [budget.clock(), ...args]),
    ),
  );
  return guarded;
}

function clockFunction(
  read: (budget: EvaluationBudget, focus: unknown, args: readonly unknown[]) => unknown,
): Definition {
  return {
    _jsonata_function: true,
    implementation(this: unknown, ...args: readonly unknown[]) {
      return read(budgetOf(this), this, args);
    },
  };
}

let guarded: Promise<ReadonlyMap<string, Definition>> | undefined;

/** jsonata's functions with limits on time and memory, by name. */
export function guardedFunctions(): Promise<ReadonlyMap<string, unknown>> {
  guarded ??= guardAll();
  return guarded;
}

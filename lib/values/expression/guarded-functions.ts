import jsonata from "jsonata";
import { isRecord } from "../json/json.ts";
import type { EvaluationBudget } from "./evaluation-budget.ts";
import { requireBudget } from "./evaluation-hook.ts";
import { LimitError } from "./expression-error.ts";
import { addFunction, isFunctionValue } from "./function-values.ts";
import { sortValues } from "./sort-values.ts";

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
type Signature = { validate(args: readonly unknown[], context: unknown): unknown };
type Definition = {
  readonly _jsonata_function: true;
  readonly implementation: Native;
  readonly signature?: Signature | undefined;
};

const asText = (value: unknown): string => (typeof value === "string" ? value : "");

const measureLength = (value: unknown): number =>
  typeof value === "string" || Array.isArray(value) ? value.length : 0;

const refuseAbove = (limit: number, amount: number, what: string): void => {
  if (amount > limit) throw new LimitError(`exceeds a limit: ${what} may be at most ${limit}`);
};

/** Checks before calls of functions that can cost more than the size of their arguments. */
const checks: {
  readonly [name: string]: (args: readonly unknown[], budget: EvaluationBudget) => void;
} = {
  pad([, width, char]) {
    const perCharacter = Math.max(1, asText(char).length);
    refuseAbove(maxTextLength, Math.abs(Number(width)) * perCharacter, "the width of $pad");
  },
  join([parts, separator]) {
    const total = measureLength(parts) * measureLength(separator);
    refuseAbove(maxTextLength * 16, total, "the length of the result of $join");
  },
  string([value, pretty], budget) {
    const bytes = budget.sizes.measure(value, false);
    if (pretty === true) refuseAbove(maxTextLength / 4, bytes, "the size of an indented $string");
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
    refuseAbove(maxTextLength / 16, measureLength(text), "the text for $parseInteger");
  },
};

const refusePicture = (picture: unknown): void => {
  refuseAbove(maxPictureLength, measureLength(picture), "the length of a picture or date");
};

/** Refuses functions among values that a function takes apart. */
const refuseFunctions = (value: unknown): void => {
  if (Array.isArray(value)) value.forEach(refuseFunctions);
  else if (typeof value === "object" && isFunctionValue(value)) {
    throw new LimitError("uses a function as an object");
  }
};

/** jsonata does not check the arguments of a function that was partially applied. */
const checkPartial = (
  focus: unknown,
  args: readonly unknown[],
  signature: Signature | undefined,
): readonly unknown[] => {
  if (!signature || (isRecord(focus) && "options" in focus)) return args;
  const given = args.findLastIndex((arg) => arg !== undefined) + 1;
  const checked = signature.validate(args.slice(0, given), undefined);
  return Array.isArray(checked) ? checked : args;
};

const apart = new Set(["spread", "merge", "each", "sift"]);

const guard = (name: string, native: Definition): Definition => {
  const check = checks[name];
  const { signature } = native;
  const original = replacements[name] ?? native.implementation;
  const implementation = function (this: unknown, ...sent: readonly unknown[]): unknown {
    const budget = requireBudget(isRecord(this) ? this.environment : undefined);
    budget.check();
    const args = checkPartial(this, sent, signature);
    if (apart.has(name)) refuseFunctions(args[0]);
    check?.(args, budget);
    const result: unknown = Reflect.apply(original, this, args);
    if (!(result instanceof Promise)) {
      budget.spendResult(result);
      return name === "clone" ? ownCopy(result, budget) : result;
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
  return { _jsonata_function: true, implementation: Object.freeze(implementation), signature };
};

/** Copies what $clone made into objects without a prototype, which no member's name can reach, and records them. */
const ownCopy = (value: unknown, budget: EvaluationBudget): unknown => {
  const objects = new WeakSet<object>();
  const copy = (item: unknown): unknown => {
    if (typeof item !== "object" || item === null) return item;
    if (Array.isArray(item)) return item.map(copy);
    const own: Record<string, unknown> = Object.create(null);
    for (const [key, member] of Object.entries(item)) own[key] = copy(member);
    objects.add(own);
    return own;
  };
  const whole = copy(value);
  if (typeof whole === "object" && whole !== null) budget.addCopy(whole, objects);
  return whole;
};

const replacements: { readonly [name: string]: Native } = { sort: sortValues };

const isNative = (value: unknown): value is Native => typeof value === "function";

const isDefinition = (value: unknown): value is Definition =>
  isRecord(value) && value._jsonata_function === true && isNative(value.implementation);

const guardAll = async (): Promise<ReadonlyMap<string, Definition>> => {
  const natives: unknown = await jsonata(`[${names.map((name) => `$${name}`).join()}]`).evaluate(
    {},
  );
  const guarded = new Map<string, Definition>();
  for (const [index, native] of (Array.isArray(natives) ? natives : []).entries()) {
    const name = names[index];
    if (name === undefined || !isDefinition(native)) continue;
    // They are jsonata's own, shared by all evaluations.
    for (const part of [native, native.signature, native.implementation]) Object.freeze(part);
    guarded.set(name, guard(name, native));
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
};

const clockFunction = (
  read: (budget: EvaluationBudget, focus: unknown, args: readonly unknown[]) => unknown,
): Definition => ({
  _jsonata_function: true,
  implementation(this: unknown, ...args: readonly unknown[]) {
    return read(requireBudget(isRecord(this) ? this.environment : undefined), this, args);
  },
});

let guarded: Promise<ReadonlyMap<string, Definition>> | undefined;

/**
 * Returns jsonata's functions of these names, with limits on time and memory. Definitions are new for each evaluation:
 * jsonata writes the place of a call into them, and nothing else can be written.
 */
export const guardedFunctions = async (
  names: Iterable<string>,
): Promise<ReadonlyMap<string, object>> => {
  guarded ??= guardAll();
  const all = await guarded;
  const own = new Map<string, object>();
  for (const name of names) {
    const definition = all.get(name);
    if (definition) own.set(name, newDefinition(definition));
  }
  return own;
};

const newDefinition = ({ implementation, signature }: Definition): object => {
  const fixed = { enumerable: true };
  const place = { value: undefined, writable: true };
  const definition = Object.create(null, {
    _jsonata_function: { value: true, ...fixed },
    implementation: { value: implementation, ...fixed },
    signature: { value: signature, ...fixed },
    token: place,
    position: place,
  });
  addFunction(definition);
  return Object.preventExtensions(definition);
};

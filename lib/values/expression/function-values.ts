/** The functions that evaluations made: built-in ones and lambdas. No data can be one. */
const functions = new WeakSet<object>();

/** Records an object as a function of jsonata. */
export const addFunction = (value: object): void => {
  functions.add(value);
};

/** Returns whether a value is a function of jsonata rather than data with the same members. */
export const isFunctionValue = (value: unknown): boolean => {
  if (typeof value === "function") return true;
  return typeof value === "object" && value !== null && functions.has(value);
};

/** Returns whether jsonata would mistake an object for a function. */
export const imitatesFunction = (value: object): boolean => {
  const isMarked =
    ("_jsonata_lambda" in value && value._jsonata_lambda === true) ||
    ("_jsonata_function" in value && value._jsonata_function === true);
  return isMarked && !functions.has(value);
};

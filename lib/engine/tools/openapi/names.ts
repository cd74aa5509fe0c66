import { trimEnd } from "../../../platform/runtime/trim-end.ts";
import { createUniqueNames } from "../../../platform/runtime/unique-names.ts";

/**
 * Creates unique names of letters, digits, dots, dashes and underscores that start with a letter or digit.
 */
export const createNames = (maxLength: number): ((wanted: string) => string) => {
  const unique = createUniqueNames(maxLength);
  return (wanted) => {
    const spelled = wanted
      .slice(0, maxLength * 4)
      .replaceAll(/[^A-Za-z0-9._-]+/g, "_")
      .replace(/^[^A-Za-z0-9]+/, "");
    return unique(trimEnd(spelled, "_").slice(0, maxLength) || "unnamed");
  };
};

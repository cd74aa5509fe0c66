import * as z from "zod";

const begin = "The JSON value could not be converted to System.String. Path: $";

/**
 * A member that must be a JSON string. What is wrong with another value is told in the words of the
 * interface, which name the place by a path of their own: `$.parameters.city`.
 */
export const textValue = () =>
  z.string({ error: ({ path = [] }) => begin + path.map((part) => `.${String(part)}`).join("") });

/** Whether a detail says by itself where it belongs. */
export const saysWhere = (detail: string): boolean => detail.startsWith(begin);

import * as z from "zod";

const begin = "The JSON value could not be converted to System.String. Path: $";

/** Creates the schema of a JSON string whose error message names its path, such as `$.parameters.city`. */
export const textValue = () =>
  z.string({ error: ({ path = [] }) => begin + path.map((part) => `.${String(part)}`).join("") });

/** Returns whether a detail names its own path. */
export const saysWhere = (detail: string): boolean => detail.startsWith(begin);

import * as z from "zod";

const messagePrefix = "The JSON value could not be converted to System.String. Path: $";

/**
 * Creates the schema of a JSON string. Its error message contains the path, such as
 * `$.parameters.city`.
 */
export const textValue = () =>
  z.string({
    error: ({ path = [] }) => messagePrefix + path.map((part) => `.${String(part)}`).join(""),
  });

/** Returns whether a detail names its own path. */
export const hasOwnPath = (detail: string): boolean => detail.startsWith(messagePrefix);

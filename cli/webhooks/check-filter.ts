import { usage } from "../exit.ts";

/** Throws for an invalid JSONata expression. The API also checks functions and limits. */
export const checkFilter = async (filter: string): Promise<void> => {
  const { default: jsonata } = await import("jsonata");
  try {
    jsonata(filter);
  } catch (error) {
    const { message = "", position } = Object(error);
    const place = typeof position === "number" ? ` (at character ${position})` : "";
    throw usage(`--filter is not a valid JSONata expression: ${message}${place}.`);
  }
};

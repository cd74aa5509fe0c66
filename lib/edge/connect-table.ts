import { database } from "../platform/db/database.ts";
import type { Connected, Link } from "./context.ts";

/** Gives the middlewares after it the function's connection to the table. */
export const connectTable = (): Link<Connected> => ({
  before: ({ context }) => {
    context.database = database;
  },
});

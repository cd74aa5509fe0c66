import type { Database } from "../platform/db/database.ts";
import type { Connected, Link } from "./context.ts";

/** Gives the middlewares after it the function's connection to the table. */
export const connectTable = (database: () => Database): Link<Connected> => ({
  before: ({ context }) => {
    context.database = database;
  },
});

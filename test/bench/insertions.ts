import * as z from "zod";

const Statements = z.object({
  Statements: z.array(
    z.object({
      Statement: z.string(),
      Parameters: z.array(z.record(z.string(), z.unknown())),
    }),
  ),
});

/** Returns the items that the statements of a call insert. */
export const insertedItems = (body: unknown): Record<string, unknown>[] =>
  Statements.parse(body).Statements.map(({ Statement, Parameters }) =>
    Object.fromEntries(
      [...Statement.matchAll(/'(\w+)': \?/g)].map(([, name = ""], at) => [name, Parameters[at]]),
    ),
  );

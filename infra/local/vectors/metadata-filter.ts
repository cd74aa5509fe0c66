import * as z from "zod";
import { VectorsFault } from "./vectors-fault.ts";

/** A condition on the column `id` of a vector, with its parameters in order. */
export type Condition = { sql: string; values: (string | number)[] };

const Primitive = z.union([z.string(), z.number(), z.boolean()]);
type Primitive = z.output<typeof Primitive>;
const Primitives = z.array(Primitive).min(1);

/** Returns the kind and value of a metadata entry as they are stored. */
export const toEntry = (value: Primitive): [kind: string, value: string | number] =>
  typeof value === "boolean" ? ["boolean", Number(value)] : [typeof value, value];

const holds = (name: string, test: string, values: (string | number)[]): Condition => ({
  sql: `id IN (SELECT id FROM entry WHERE name = ? AND ${test})`,
  values: [name, ...values],
});

const equals = (name: string, value: Primitive): Condition =>
  holds(name, "kind = ? AND value = ?", toEntry(value));

const not = ({ sql, values }: Condition): Condition => ({ sql: `NOT (${sql})`, values });

const joined = (conditions: readonly Condition[], by: "AND" | "OR"): Condition => ({
  sql: `(${conditions.map(({ sql }) => sql).join(` ${by} `)})`,
  values: conditions.flatMap(({ values }) => values),
});

const compared = (sign: string) => (name: string, operand: unknown) =>
  holds(name, `kind = 'number' AND value ${sign} ?`, [z.number().parse(operand)]);

const isIn = (name: string, operand: unknown): Condition =>
  joined(
    Primitives.parse(operand).map((value) => equals(name, value)),
    "OR",
  );

const operators: Readonly<Record<string, (name: string, operand: unknown) => Condition>> = {
  $eq: (name, operand) => equals(name, Primitive.parse(operand)),
  $ne: (name, operand) => not(equals(name, Primitive.parse(operand))),
  $gt: compared(">"),
  $gte: compared(">="),
  $lt: compared("<"),
  $lte: compared("<="),
  $in: isIn,
  $nin: (name, operand) => not(isIn(name, operand)),
  $exists: (name, operand) => {
    const exists = holds(name, "1", []);
    return z.boolean().parse(operand) ? exists : not(exists);
  },
};

const maxDepth = 16;
const Filters = z.array(z.record(z.string(), z.unknown())).min(1);
const Filter = z.record(z.string(), z.unknown());

/**
 * Compiles a metadata filter to SQL over the table `entry`. An array matches when one of its elements does. Throws a
 * ValidationException. https://docs.aws.amazon.com/AmazonS3/latest/userguide/s3-vectors-metadata-filtering.html
 * @param unfilterable metadata keys that the index does not filter by
 */
export const compileFilter = (filter: unknown, unfilterable: ReadonlySet<string>): Condition => {
  try {
    return compile(filter, unfilterable, 1);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw new VectorsFault("ValidationException", "Invalid filter");
  }
};

const compile = (filter: unknown, unfilterable: ReadonlySet<string>, depth: number): Condition => {
  if (depth > maxDepth) throw new VectorsFault("ValidationException", "The filter is too deep");
  const entries = Object.entries(Filter.parse(filter));
  if (entries.length === 0) throw new VectorsFault("ValidationException", "The filter is empty");
  const conditions = entries.map(([name, operand]): Condition => {
    if (name === "$and" || name === "$or") {
      const parts = Filters.parse(operand).map((part) => compile(part, unfilterable, depth + 1));
      return joined(parts, name === "$and" ? "AND" : "OR");
    }
    if (name.startsWith("$") || unfilterable.has(name)) {
      throw new VectorsFault("ValidationException", `The filter may not use ${name}`);
    }
    return ofKey(name, operand);
  });
  return joined(conditions, "AND");
};

const ofKey = (name: string, operand: unknown): Condition => {
  const implied = Primitive.safeParse(operand);
  if (implied.success) return equals(name, implied.data);
  const parts = Object.entries(Filter.parse(operand)).map(([operator, value]) => {
    const build = operators[operator];
    if (!build) throw new VectorsFault("ValidationException", `Unknown operator ${operator}`);
    return build(name, value);
  });
  if (parts.length === 0) throw new VectorsFault("ValidationException", `${name} has no operator`);
  return joined(parts, "AND");
};

import * as z from "zod";
import type { Route } from "../../lib/edge/route.ts";
import type { Shape } from "../../lib/platform/http/row.ts";

/** A valid request for a row, made of its schemas' examples. */
export type SampleRequest = {
  method: string;
  path: string;
  /** The query parameters that the row requires. */
  query: Record<string, string>;
  body: unknown;
};

/** Returns the example in a schema's `meta()`; throws for a schema without one. */
export const readExample = (schema: z.ZodType, where: string): unknown => {
  const { example } = z.object({ example: z.unknown().optional() }).parse(schema.meta() ?? {});
  if (example === undefined) throw new Error(`${where} has no example in its meta()`);
  return example;
};

/** Returns the example values of a row's path parameters, by name. */
export const sampleParams = (row: Route): Record<string, string> => ({
  tenant: "demo",
  ...readExamples(row.params ?? {}, row.operation),
});

const readExamples = (shape: Shape, operation: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [
      name,
      z.string().parse(readExample(schema, `${operation} ${name}`)),
    ]),
  );

/** Returns the sample request of a row; `params` replace the examples. */
export const sampleRequest = (row: Route, params: Record<string, string> = {}): SampleRequest => {
  const values = { ...sampleParams(row), ...params };
  const path = row.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ""),
  );
  return {
    method: row.method,
    path,
    query: readExamples(selectRequired(row.query ?? {}), row.operation),
    body: row.body && readExample(row.body, `${row.operation} body`),
  };
};

const selectRequired = (shape: Shape): Shape =>
  Object.fromEntries(
    Object.entries(shape).filter(([, schema]) => !schema.safeParse(undefined).success),
  );

import { expect, test } from "vitest";
import { renderOpenApi } from "../../infra/commands/openapi.ts";
import { isRecord } from "../../lib/values/json/json.ts";

type Schema = Readonly<Record<string, unknown>>;

const annotations = ["description", "example", "examples", "title"];
/** Returns whether a schema accepts any value, so that a wrong one costs nothing. */
const acceptsAll = (schema: Schema) =>
  Object.keys(schema).every((keyword) => annotations.includes(keyword));

/** Finds the lists and records of a schema that validate what they hold and may hold any number. */
const unlimited = (root: Schema, schema: Schema, place: string, above: string[] = []): string[] => {
  if (acceptsAll(schema)) return [];
  const { $ref } = schema;
  if (typeof $ref === "string") {
    if (above.includes($ref)) return [];
    const target = $ref.split("/").slice(1).reduce<unknown>(memberOf, root);
    return unlimited(root, schemaOf(target), place, [...above, $ref]);
  }
  const within = (inner: unknown, at: string) => unlimited(root, schemaOf(inner), at, above);
  const parts = ["anyOf", "oneOf", "allOf"].flatMap((keyword) => listOf(schema[keyword]));
  const found = parts.flatMap((part) => within(part, place));
  for (const [name, member] of Object.entries(schemaOf(schema.properties))) {
    found.push(...within(member, `${place}.${name}`));
  }
  for (const [keyword, limit] of [
    ["items", "maxItems"],
    ["additionalProperties", "maxProperties"],
  ] as const) {
    const held = schemaOf(schema[keyword]);
    if (!acceptsAll(held) && schema[limit] === undefined) found.push(`${place} has no ${limit}`);
    found.push(...within(held, `${place}[]`));
  }
  return found;
};

const memberOf = (value: unknown, name: string): unknown => schemaOf(value)[name];
const schemaOf = (value: unknown): Schema => (isRecord(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

test("bodies limit their lists and records, so that wrong members cost little processor time", async () => {
  const root = schemaOf(JSON.parse(await renderOpenApi()));
  const methods = Object.values(schemaOf(root.paths)).flatMap((path) =>
    Object.values(schemaOf(path)).map(schemaOf),
  );
  const bodies = methods.filter(({ requestBody }) => requestBody !== undefined);
  expect(bodies.length).toBeGreaterThan(40);
  const found = bodies.flatMap(({ operationId, requestBody }) =>
    Object.values(schemaOf(schemaOf(requestBody).content)).flatMap((content) =>
      unlimited(root, schemaOf(schemaOf(content).schema), String(operationId)),
    ),
  );
  expect(found).toEqual([]);
});

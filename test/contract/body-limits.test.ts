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
    const target = $ref.split("/").slice(1).reduce<unknown>(getMember, root);
    return unlimited(root, toSchema(target), place, [...above, $ref]);
  }
  const within = (inner: unknown, at: string) => unlimited(root, toSchema(inner), at, above);
  const parts = ["anyOf", "oneOf", "allOf"].flatMap((keyword) => toList(schema[keyword]));
  const found = parts.flatMap((part) => within(part, place));
  for (const [name, member] of Object.entries(toSchema(schema.properties))) {
    found.push(...within(member, `${place}.${name}`));
  }
  for (const [keyword, limit] of [
    ["items", "maxItems"],
    ["additionalProperties", "maxProperties"],
  ] as const) {
    const elements = toSchema(schema[keyword]);
    if (!acceptsAll(elements) && schema[limit] === undefined)
      found.push(`${place} has no ${limit}`);
    found.push(...within(elements, `${place}[]`));
  }
  return found;
};

const getMember = (value: unknown, name: string): unknown => toSchema(value)[name];
const toSchema = (value: unknown): Schema => (isRecord(value) ? value : {});
const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

test("bodies limit their lists and records, so that wrong members cost little processor time", async () => {
  const root = toSchema(JSON.parse(await renderOpenApi()));
  const methods = Object.values(toSchema(root.paths)).flatMap((path) =>
    Object.values(toSchema(path)).map(toSchema),
  );
  const bodies = methods.filter(({ requestBody }) => requestBody !== undefined);
  expect(bodies.length).toBeGreaterThan(40);
  const found = bodies.flatMap(({ operationId, requestBody }) =>
    Object.values(toSchema(toSchema(requestBody).content)).flatMap((content) =>
      unlimited(root, toSchema(toSchema(content).schema), String(operationId)),
    ),
  );
  expect(found).toEqual([]);
});

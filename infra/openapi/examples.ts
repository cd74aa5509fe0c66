import { existsSync, readFileSync } from "node:fs";
import * as z from "zod";
import { routes } from "../../functions/routes.ts";
import type { Route } from "../../lib/edge/route.ts";

const Examples = z.record(z.string(), z.unknown());

/** Path of the example responses of a group, by operation. */
export const examplesPath = (group: string): string => `functions/${group}/examples.json`;

const readGroup = (group: string): Readonly<Record<string, unknown>> => {
  const file = new URL(`../../${examplesPath(group)}`, import.meta.url);
  return existsSync(file) ? Examples.parse(JSON.parse(readFileSync(file, "utf8"))) : {};
};

const groups = new Map<string, Readonly<Record<string, unknown>>>();

const ownExample = ({ group, operation }: Route): unknown => {
  const examples = groups.get(group) ?? readGroup(group);
  groups.set(group, examples);
  return examples[operation];
};

/** Returns the example of a row with this schema: in the same group with the same method first, then of one that reads. */
const createSchemaExample = (schema: unknown, { group, method }: Route): unknown => {
  const rank = (row: Route): number => {
    const isInGroup = row.group === group;
    const isAlike = isInGroup && row.method === method;
    return 4 * Number(isInGroup) + 2 * Number(isAlike) + Number(row.method === "GET");
  };
  return routes
    .filter(({ response }) => response.schema === schema)
    .toSorted((one, other) => rank(other) - rank(one))
    .map(ownExample)
    .find((example) => example !== undefined);
};

const Members = z.record(z.string(), z.unknown());

/** Returns the example of a response with the values that the example of the row's request sets. */
const createChangedExample = (row: Route): unknown => {
  const example = createSchemaExample(row.response.schema, row);
  const sent = Members.safeParse(row.body?.meta()?.example);
  const shown = Members.safeParse(example);
  if (!sent.success || !shown.success) return example;
  const changed = Object.entries(sent.data).filter(([name]) => Object.hasOwn(shown.data, name));
  return { ...shown.data, ...Object.fromEntries(changed) };
};

/** Returns an example of a list with the example of its items. */
const createListExample = (schema: z.ZodType, row: Route): unknown => {
  if (schema instanceof z.ZodArray) {
    const item = createSchemaExample(schema.element, row);
    return item === undefined ? undefined : [item];
  }
  if (!(schema instanceof z.ZodObject) || !(schema.shape.items instanceof z.ZodArray)) return;
  const item = createSchemaExample(schema.shape.items.element, row);
  return item === undefined ? undefined : { items: [item], nextPageToken: null };
};

/**
 * Returns the example of a row's response: its own, that of another row with the same response and the values of this
 * row's request, or for a list one with the example of an item. Undefined for a row without any.
 */
export const exampleResponse = (row: Route): unknown => {
  const { schema } = row.response;
  if (!schema) return undefined;
  return ownExample(row) ?? createChangedExample(row) ?? createListExample(schema, row);
};

const none = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, thinkingTokens: 0 };
const free = { inputCost: 0, outputCost: 0, cachedCost: 0, thinkingCost: 0, totalCost: 0 };
const queued = { status: "Queued", output: null, usage: none, cost: free, endTime: null };

/** Returns the example of a 202 response: an execution that has not started. */
export const exampleAccepted = (row: Route): unknown => ({
  ...Members.parse(exampleResponse(row)),
  ...queued,
});

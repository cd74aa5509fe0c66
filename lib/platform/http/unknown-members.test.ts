import { expect, test } from "vitest";
import * as z from "zod";
import { findUnknownMembers, refuseUnknown } from "./unknown-members.ts";

const Retry = z.object({ maxAttempts: z.int(), on: z.array(z.string()).default([]) });
const Body = z.object({
  name: z.string().nullable().default(null),
  retry: z.preprocess((value) => value ?? null, refuseUnknown(Retry).nullable()),
  parts: z.array(refuseUnknown(z.object({ id: z.string(), retry: Retry.nullish() }))),
  tools: refuseUnknown(z.array(z.union([z.string(), z.object({ toolId: z.string() })]))),
  named: refuseUnknown(z.record(z.string(), z.object({ x: z.int() }))),
  free: refuseUnknown(z.object({ parameters: z.record(z.string(), z.unknown()) })),
  open: z.object({ a: z.int() }),
});

test("unknown members are found within marked schemas alone, with the nearest known name", () => {
  const value = {
    nmae: "top",
    retry: { maxAtempts: 3 },
    parts: [{ id: "a" }, { id: "b", retry: { maxAttempts: 1, backof: 2 } }],
    tools: ["calculate", { toolId: "x", config: 1 }],
    named: { anything: { x: 1, y: 2 } },
    free: { parameters: { whatever: { a: 1 } } },
    open: { a: 1, b: 2 },
  };
  expect(findUnknownMembers(Body, value)).toEqual([
    {
      path: ["retry", "maxAtempts"],
      detail: 'is not known here; did you mean "maxAttempts"?',
    },
    { path: ["parts", 1, "retry", "backof"], detail: "is not known here" },
    { path: ["tools", 1, "config"], detail: "is not known here" },
    { path: ["named", "anything", "y"], detail: "is not known here" },
  ]);
});

test("values of other types than the schema's are left to it", () => {
  expect(findUnknownMembers(Body, { retry: [], parts: {}, tools: 1, named: null })).toEqual([]);
});

test("of very many unknown members the first 50 are found", () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `m${at}`);
  const value = Object.fromEntries(names.map((name) => [name, 1]));
  const found = findUnknownMembers(z.object({ named: z.string() }), value, true);
  expect(found.map(({ path }) => path[0])).toEqual(names.slice(0, 50));
});

import { describe, expect, test } from "vitest";
import * as z from "zod";
import { zodErrorMap } from "./zod-error-map.ts";

const listMessages = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: zodErrorMap }).error?.issues.map(({ message }) => message);

describe("details of validation errors", () => {
  test.each([
    [z.string()],
    [z.int()],
    [z.enum(["a", "b"])],
    [z.literal("a")],
    [z.union([z.string(), z.number()])],
    [z.array(z.string())],
    [z.discriminatedUnion("type", [z.object({ type: z.literal("a") })])],
  ])("is that a missing member is required (%#)", (schema) => {
    expect(listMessages(z.object({ member: schema }), {})).toEqual(["is required"]);
  });

  test.each([
    [z.string(), 1, "must be a string"],
    [z.string().nullable(), 1, "must be a string"],
    [z.int(), 1.5, "must be a whole number"],
    [z.number(), "1", "must be a number"],
    [z.boolean(), "true", "must be true or false"],
    [z.array(z.string()), {}, "must be an array"],
    [z.object({}), [], "must be an object"],
    [z.record(z.string(), z.string()), "a", "must be an object"],
    [z.strictObject({}), { a: 1 }, 'has an unknown member: "a"'],
    [z.strictObject({}), { a: 1, b: 2 }, 'has unknown members: "a", "b"'],
    [
      z.strictObject({}),
      { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 },
      'has unknown members: "a", "b", "c", "d", "e" and 2 more',
    ],
    [z.enum(["a", "b"]), "c", 'must be one of "a", "b"'],
    [z.literal("a"), "c", 'must be "a"'],
    [z.union([z.string(), z.number()]), true, "has none of the forms that are allowed"],
    [z.string().min(1), "", "must have at least 1 character"],
    [z.string().max(2), "abc", "must have at most 2 characters"],
    [z.string().length(2), "abc", "must have exactly 2 characters"],
    [z.array(z.string()).min(1), [], "must have at least 1 item"],
    [z.int().min(1), 0, "must be at least 1"],
    [z.number().max(5), 6, "must be at most 5"],
    [z.number().gt(0), 0, "must be greater than 0"],
    [z.uuid(), "a", "must be a uuid"],
    [z.url(), "a", "must be a URL"],
    [z.string().regex(/^a$/), "b", "must match /^a$/"],
  ])("state the allowed values (%#)", (schema, value, message) => {
    expect(listMessages(schema, value)).toEqual([message]);
  });

  test("are the schema's own messages if it has some", () => {
    expect(listMessages(z.string("must be a name"), 1)).toEqual(["must be a name"]);
    expect(
      listMessages(
        z.string().refine(() => false, "is taken"),
        "a",
      ),
    ).toEqual(["is taken"]);
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { validationFailed } from "../platform/http/problems.ts";
import { acceptsType } from "../values/json/file-value.ts";
import { ParameterDescriptor } from "../values/json/parameters.ts";
import { assignFiles } from "./assign-files.ts";
import { placeFileErrors } from "./place-file-errors.ts";
import type { SentFile } from "./sent-file.ts";

const input = (name: string, more: object = {}) =>
  ParameterDescriptor.parse({ name, type: "File", ...more });
const text = ParameterDescriptor.parse({ name: "message", type: "String" });
const photo = input("photo", { accept: ["image/*"] });
const papers = input("papers", { accept: ["application/pdf", "text/*"], multiple: true });

const file = (id: string, mediaType?: string): SentFile => ({
  pointer: `/input/${id}`,
  reference: { fileId: id },
  mediaType,
  name: undefined,
});

describe("the input that gets a file", () => {
  test("is the first one of the type File that accepts its media type", () => {
    const files = [file("1", "application/pdf"), file("2", "image/png"), file("3", "text/csv")];
    expect(assignFiles([text, photo, papers], { files, given: {} })).toEqual({
      input: { photo: { fileId: "2" }, papers: [{ fileId: "1" }, { fileId: "3" }] },
      places: new Map([
        ["/input/photo", "/input/2"],
        ["/input/papers", "/input/1"],
        ["/input/papers/0", "/input/1"],
        ["/input/papers/1", "/input/3"],
      ]),
    });
  });

  test.each([
    ["a range that overlaps", "image/*", ["image/png"], true],
    ["a range of another type", "image/*", ["application/pdf"], false],
    ["a range, any accepted", "audio/*", ["*/*"], true],
    ["a type of a range", "image/png", ["IMAGE/*"], true],
    ["another type", "image/png", ["image/jpeg"], false],
    ["an unknown type", undefined, ["image/png"], true],
    ["any type, none named", "video/mp4", undefined, true],
  ])("may have %s", (_, mediaType, accept, isTaken) => {
    const assigned = assignFiles([input("a", { accept })], {
      files: [file("1", mediaType)],
      given: {},
    });
    expect("input" in assigned).toBe(isTaken);
  });

  test("has room for the size of content that is sent inline", () => {
    const content = { ...file("1", "image/png"), reference: { base64: "AAAA", name: "a.png" } };
    const inputs = [input("small", { maxBytes: 2 }), input("large", { maxBytes: 3 })];
    expect(assignFiles(inputs, { files: [content], given: {} })).toMatchObject({
      input: { large: { base64: "AAAA", name: "a.png" } },
    });
  });

  test("is none without a File input, without room, and where the input has a value", () => {
    const refuse = (
      parameters: ParameterDescriptor[],
      files: SentFile[],
      given: Record<string, string> = {},
    ) => {
      const assigned = assignFiles(parameters, { files, given });
      return "refused" in assigned ? [assigned.refused.pointer, assigned.detail] : undefined;
    };
    expect(refuse([text], [file("1")])).toEqual([
      "/input/1",
      "is a file, and the agent has no input of the type File",
    ]);
    expect(refuse([photo], [file("1"), file("2", "image/png")])).toEqual([
      "/input/2",
      'is a file of the type image/png, for which no input is left: the agent has "photo" (image/*)',
    ]);
    expect(refuse([photo], [file("1")], { photo: "x" })?.[0]).toBe("/input/1");
    const many = Array.from({ length: 21 }, (_, at) => file(String(at), "text/plain"));
    expect(refuse([papers], many)?.[0]).toBe("/input/20");
  });

  test("takes earlier files where it has room, those of the latest message first, in their order", () => {
    const earlier = [file("1", "image/png"), file("2", "image/png"), file("3", "text/plain")];
    const ask = (files: SentFile[]) => assignFiles([photo, papers], { files, earlier, given: {} });
    expect(ask([])).toMatchObject({
      input: { photo: { fileId: "2" }, papers: [{ fileId: "3" }] },
    });
    expect(ask([file("4", "image/gif"), file("5", "text/csv")])).toMatchObject({
      input: { photo: { fileId: "4" }, papers: [{ fileId: "3" }, { fileId: "5" }] },
    });
  });
});

const accept = fc.option(
  fc.subarray(["image/*", "image/png", "application/pdf", "*/*", "audio/*"]),
  { nil: undefined },
);
const inputs = fc
  .array(fc.record({ accept, multiple: fc.boolean() }), { maxLength: 5 })
  .map((all) => all.map((more, at) => input(`in${at}`, more)));
const types = fc.constantFrom(undefined, "image/*", "image/png", "application/pdf", "audio/wav");
const sent = (prefix: string) =>
  fc
    .array(types, { maxLength: 30 })
    .map((all) => all.map((mediaType, at) => file(`${prefix}${at}`, mediaType)));

test("any files: all are taken once, by inputs that accept them and have room, or one of the message is refused", () => {
  fc.assert(
    fc.property(inputs, sent("e"), sent("f"), (parameters, earlier, files) => {
      const assigned = assignFiles(parameters, { files, earlier, given: {} });
      if ("refused" in assigned) {
        expect(files).toContain(assigned.refused);
        return;
      }
      const taken = parameters.flatMap(({ name, accept: own, multiple }) => {
        const value = Object.hasOwn(assigned.input, name) ? assigned.input[name] : [];
        const list = Array.isArray(value) ? value : [value];
        expect(list.length).toBeLessThanOrEqual(multiple ? 20 : 1);
        return list.map((reference) => {
          const of = [...earlier, ...files].find(
            (one) => JSON.stringify(one.reference) === JSON.stringify(reference),
          );
          const type = of?.mediaType;
          if (type && !type.endsWith("*")) expect(acceptsType(own, type)).toBe(true);
          return of;
        });
      });
      expect(new Set(taken).size).toBe(taken.length);
      expect(files.every((one) => taken.includes(one))).toBe(true);
      expect(new Set(assigned.places.values())).toEqual(new Set(taken.map((one) => one?.pointer)));
    }),
  );
});

test("errors of inputs name the parts that their files came from", () => {
  const assigned = assignFiles([photo, papers], {
    files: [file("7", "image/png"), file("8", "text/csv"), file("9", "text/csv")],
    given: {},
  });
  const places = "places" in assigned ? assigned.places : new Map();
  const pointers = ["/input/photo", "/input/photo/url", "/input/papers/1", "/input/papers/1/x"];
  const problem = validationFailed(
    [...pointers, "/input/message", ""].map((pointer) => ({ pointer, detail: "is wrong" })),
  );
  expect(placeFileErrors(problem, places).members).toEqual({
    errors: ["/input/7", "/input/7", "/input/9", "/input/9", "/input/message", ""].map(
      (pointer) => ({ pointer, detail: "is wrong" }),
    ),
  });
});

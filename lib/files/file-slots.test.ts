import { describe, expect, test } from "vitest";
import { ParameterDescriptor } from "../values/json/parameters.ts";
import {
  findFileSlot,
  findMissingFile,
  isSlotFull,
  openFileSlots,
  toFileInputs,
} from "./file-slots.ts";

const input = (name: string, more: object = {}) =>
  ParameterDescriptor.parse({ name, type: "File", ...more });
const photo = input("photo", { accept: ["image/*"], maxBytes: 10 });
const papers = input("papers", { accept: ["text/*"], multiple: true });
const rest = input("rest");
const text = ParameterDescriptor.parse({ name: "message", type: "String" });

describe("the input of a file, of a chat and of a protocol", () => {
  const place = (
    parameters: readonly ParameterDescriptor[],
    files: readonly (readonly [string, string | undefined, number])[],
    options: Parameters<typeof openFileSlots>[1] = {},
  ) => {
    const slots = openFileSlots<string>(parameters, options);
    const refusals = files.map(([id, mediaType, bytes]) => {
      const found = findFileSlot(slots, { mediaType, bytes });
      if ("reason" in found) {
        return [found.reason, found.closest.map(({ descriptor }) => descriptor.name)];
      }
      found.files.push(id);
      return undefined;
    });
    return { refusals, input: toFileInputs(slots, (id) => ({ id })), slots };
  };

  test("is the first of the type File that accepts its media type and size, and has room", () => {
    const files = [
      ["a", "image/png", 11],
      ["b", "image/png", 10],
      ["c", "text/csv", 1],
      ["d", undefined, 0],
    ] as const;
    expect(place([text, photo, papers, rest], files)).toMatchObject({
      refusals: [undefined, undefined, undefined, undefined],
      input: { rest: { id: "a" }, photo: { id: "b" }, papers: [{ id: "c" }, { id: "d" }] },
    });
  });

  test("is none for another type, a larger file, and one more than it takes; the closest inputs are named", () => {
    const files = [
      ["a", "audio/wav", 1],
      ["b", "image/png", 11],
      ["c", "image/png", 1],
      ["d", "image/png", 1],
    ] as const;
    expect(place([photo, papers], files).refusals).toEqual([
      ["type", []],
      ["size", ["photo"]],
      undefined,
      ["full", ["photo"]],
    ]);
    expect(place([rest], [["a", "x/y", 6]], { maxBytes: 5 }).refusals).toEqual([
      ["size", ["rest"]],
    ]);
  });

  test("is none that has a value", () => {
    const { slots, refusals } = place([rest], [["a", "x/y", 1]], { given: { rest: null } });
    expect([slots, refusals]).toEqual([[], [["type", []]]]);
  });

  test("is missed where it is required and gets none", () => {
    const needed = input("needed", { accept: ["image/*"], required: true });
    const { slots } = place([rest, needed], [["a", "x/y", 1]]);
    expect(findMissingFile(slots)?.name).toBe("needed");
    expect(findMissingFile(place([needed], [["a", "image/png", 1]]).slots)).toBeUndefined();
    expect(findMissingFile(place([needed], [], { given: { needed: "x" } }).slots)).toBeUndefined();
  });

  test("is full with one file, or with 20 of a list", () => {
    const files = Array.from({ length: 21 }, (_, at) => [String(at), "text/csv", 1] as const);
    const { refusals, slots } = place([papers], files);
    expect(refusals.filter((refusal) => refusal !== undefined)).toEqual([["full", ["papers"]]]);
    expect(slots.map(isSlotFull)).toEqual([true]);
  });
});

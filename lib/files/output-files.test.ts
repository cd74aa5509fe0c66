import { expect, test } from "vitest";
import { linkOutputFiles } from "./output-files.ts";

const place = { baseUrl: "https://wharf.example.com", tenantId: "demo" };
const file = (digit: number) => ({
  id: `0193f0a0-7c4b-7000-8000-00000000000${digit}`,
  name: `${digit}.png`,
  mediaType: "image/png",
  bytes: 4,
});
const linked = (output: unknown) => linkOutputFiles(output, place).map(({ name }) => name);

test("the files of an output have addresses: itself, its members, and those of its lists", () => {
  expect(linkOutputFiles(file(1), place)).toEqual([
    {
      ...file(1),
      url: "https://wharf.example.com/v1/tenants/demo/files/0193f0a0-7c4b-7000-8000-000000000001/content",
    },
  ]);
  expect(linked([file(1), "x", file(2)])).toEqual(["1.png", "2.png"]);
  expect(linked({ a: file(1), b: [file(2), file(1)], c: { d: file(3) } })).toEqual([
    "1.png",
    "2.png",
    "3.png",
  ]);
});

test("values of other shapes have none", () => {
  const others = [{ ...file(1), more: 1 }, { ...file(1), id: "../x" }, { mediaType: "image/png" }];
  expect(linked([...others, { a: { b: { c: file(1) } } }, null, 1, "x"])).toEqual([]);
  expect(linked("text")).toEqual([]);
});

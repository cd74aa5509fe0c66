import { expect, test } from "vitest";
import { describeAccepted, findRefusal } from "../../console/src/shared/files/find-refusal.ts";
import {
  listFormFiles,
  readFormFiles,
  readSeenFiles,
  toFileInput,
} from "../../console/src/shared/files/input-files.ts";
import { findStored } from "../../console/src/shared/files/stored-value.ts";

const id = "0193f0a0-7c4b-7000-8000-000000000000";
const photo = { id, name: "cat.png", mediaType: "image/png", bytes: 70 };
const other = { ...photo, id: id.replace("0193", "0194") };

test("stored files are found in a value, in their order and without repetitions", () => {
  const value = { a: [photo, { deep: other }], b: photo, text: "x", none: null };
  expect(findStored(value)).toEqual([photo, other]);
  expect(findStored(undefined)).toEqual([]);
  // Other records with such members are not files.
  expect(
    findStored([
      { ...photo, sha256: "00" },
      { ...photo, id: "1" },
      { ...photo, bytes: "70" },
    ]),
  ).toEqual([]);
});

const fields = [
  { name: "photo", type: "File" as const },
  { name: "papers", type: "File" as const, multiple: true },
  { name: "note", type: "String" as const },
];

test("a form sends stored files by their ids, and expressions see them with their facts", () => {
  const url = { url: "https://example.com/a.pdf" };
  const texts = { photo: JSON.stringify([photo]), papers: JSON.stringify([other, url]), note: "n" };
  expect(toFileInput(texts.photo, false)).toEqual({ fileId: id });
  expect(toFileInput(texts.papers, true)).toEqual([{ fileId: other.id }, url]);
  expect(toFileInput("no JSON", true)).toEqual([]);
  expect(readSeenFiles(fields, texts)).toEqual({ photo, papers: [other, url] });
  expect(listFormFiles(fields, texts)).toEqual([photo, other]);
});

test("an input of an execution is shown again, with a list or without", () => {
  expect(readFormFiles(JSON.stringify(photo))).toEqual([{ file: photo, value: photo }]);
  expect(readFormFiles(JSON.stringify([photo, 7, { base64: "YQ==" }]))).toEqual([
    { file: photo, value: photo },
    { file: { base64: "YQ==", name: "file" }, value: { base64: "YQ==" } },
  ]);
});

test("files of another type and size are refused", () => {
  const accepted = { accept: ["image/*"], maxBytes: 100 };
  expect(findRefusal(accepted, photo)).toBeUndefined();
  expect(findRefusal(accepted, { ...photo, bytes: 101 })).toBe("has more than 100 B.");
  expect(findRefusal(accepted, { ...photo, mediaType: "text/csv" })).toBe(
    "is of the type text/csv. Accepted are image/*.",
  );
  expect(describeAccepted(accepted)).toBe("image/*, up to 100 B");
  expect(describeAccepted({ multiple: true })).toBe(
    "Any file up to 64.0 MB each, at most 20 files",
  );
});

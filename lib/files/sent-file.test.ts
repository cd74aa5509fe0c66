import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDataUrl } from "./parse-data-url.ts";
import { type GivenFile, readSentFile } from "./sent-file.ts";

const png = Buffer.concat([
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
  Buffer.alloc(64),
]).toString("base64");
const csv = Buffer.from("a,b\n1,2\n").toString("base64");

const read = (given: GivenFile) => readSentFile("/input/0", given);

describe("a file of a message", () => {
  test.each<[string, GivenFile, object]>([
    [
      "content has the type of its bytes, whatever the client says",
      { url: `data:application/pdf;base64,${png}`, mediaType: "application/pdf" },
      { reference: { base64: png, name: "file.pdf" }, mediaType: "image/png" },
    ],
    [
      "a text is named and typed by its data: URL",
      { base64: `data:text/csv;charset=utf-8;base64,${csv}` },
      { reference: { base64: csv, name: "file.csv" }, mediaType: "text/csv" },
    ],
    [
      "a text has the type of its name",
      { base64: csv, name: "table.csv" },
      { reference: { base64: csv, name: "table.csv" }, mediaType: "text/csv" },
    ],
    [
      "a data: URL may be percent-encoded",
      { url: "data:text/plain,Hi%20%C3%B6" },
      { reference: { base64: Buffer.from("Hi ö").toString("base64"), name: "file.txt" } },
    ],
    [
      "an address has the type that the client gives",
      { url: "https://a.example/x.pdf", mediaType: "image/*" },
      { reference: { url: "https://a.example/x.pdf" }, mediaType: "image/*", name: "x.pdf" },
    ],
    [
      "an address has the type of its name without one",
      { url: "https://a.example/my%20x.PDF?y=1", mediaType: "" },
      { mediaType: "application/pdf", name: "my x.PDF" },
    ],
    [
      "a filename names the file at an address",
      { url: "https://a.example/1", name: "a.wav", mediaType: "application/octet-stream" },
      { reference: { url: "https://a.example/1", name: "a.wav" }, mediaType: "audio/*" },
    ],
    ["a stored file has no known type", { fileId: "x" }, { mediaType: undefined }],
  ])("%s", async (_, given, expected) => {
    expect(await read(given)).toMatchObject(expected);
  });

  test.each<[string, GivenFile]>([
    ["nothing", {}],
    ["two things", { fileId: "x", url: "https://a.example" }],
    ["no address", { url: "a.png" }],
    ["no base64", { base64: "ä" }],
    ["no content", { url: "data:," }],
    ["a data: URL without a comma", { url: "data:text/plain;base64" }],
    ["a data: URL with half a character", { url: "data:text/plain,%C3" }],
    ["a path as a name", { base64: csv, name: "../x" }],
  ])("%s is refused", async (_, given) => {
    expect(await read(given)).toEqual(expect.any(String));
  });
});

test("any content in a data: URL is read as it was written", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), (bytes) => {
      const content = Buffer.from(bytes);
      const whole = parseDataUrl(`data:image/png;base64,${content.toString("base64")}`);
      expect(Buffer.from(whole?.base64 ?? "", "base64")).toEqual(content);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const { base64 = "" } = parseDataUrl(`data:,${encodeURIComponent(text)}`) ?? {};
      expect(Buffer.from(base64, "base64").toString()).toBe(text);
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => void parseDataUrl(`data:${text}`)));
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sampleDocx, samplePdf } from "../../test/harness/sample-files.ts";
import { detectMediaType } from "./detect-media-type.ts";

const hex = (digits: string): Buffer =>
  Buffer.concat([Buffer.from(digits, "hex"), Buffer.alloc(64)]);
const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("text", "utf16le")]);

describe("the media type of a file", () => {
  test.each([
    ["PNG", hex("89504e470d0a1a0a0000000d49484452"), "a.txt", "image/png"],
    ["JPEG", hex("ffd8ffe000104a4649460001"), "a.png", "image/jpeg"],
    ["GIF", hex("474946383961"), "a", "image/gif"],
    [
      "WebP",
      Buffer.concat([Buffer.from("RIFF\x10\0\0\0WEBPVP8 "), Buffer.alloc(16)]),
      "a",
      "image/webp",
    ],
    ["PDF", samplePdf(["text"]), "a.html", "application/pdf"],
    [
      "DOCX",
      sampleDocx("Care", "text"),
      "a",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ],
    [
      "WAV",
      Buffer.concat([Buffer.from("RIFF\x10\0\0\0WAVEfmt "), Buffer.alloc(16)]),
      "a",
      "audio/wav",
    ],
    ["a text", Buffer.from("a,b\n1,2"), "a", "text/plain"],
    ["a text of any extension", Buffer.from("a"), "a.__proto__", "text/plain"],
    ["CSV by its name", Buffer.from("a,b\n1,2"), "A.CSV", "text/csv"],
    ["JSON by its name", Buffer.from("{}"), "a.json", "application/json"],
    ["HTML by its name", Buffer.from("<p>hi"), "a.html", "text/html"],
    ["XML", Buffer.from('<?xml version="1.0"?><a/>'), "a.xml", "application/xml"],
    ["a text in UTF-16", utf16, "a.csv", "text/csv"],
    [
      "a text that the beginning cuts within a character",
      Buffer.from(`${"x".repeat(65_535)}é`),
      "a.md",
      "text/markdown",
    ],
    ["an image by its name alone", Buffer.from("not an image"), "a.png", "text/plain"],
    ["bytes of no known type", Buffer.from([0, 1, 2, 3]), "a.png", "application/octet-stream"],
    [
      "a text in Latin-1",
      Buffer.from("caf\xe9 au lait", "latin1"),
      "a.txt",
      "application/octet-stream",
    ],
  ])("of %s is found from its content", async (_, content, name, mediaType) => {
    expect(await detectMediaType(content, name)).toBe(mediaType);
  });

  test("is found for any bytes", async () => {
    const beginnings = [
      "",
      "89504e47",
      "25504446",
      "504b0304",
      "3026b2758e66cf11a6d900aa0062ce6c",
      "1a45dfa3",
      "49492a00",
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...beginnings),
        fc.uint8Array({ maxLength: 200 }),
        fc.string(),
        async (beginning, bytes, name) => {
          const content = Buffer.concat([Buffer.from(beginning, "hex"), bytes]);
          expect(await detectMediaType(content, name)).toMatch(/^[a-z]+\/[\w.+-]+/);
        },
      ),
    );
  });
});

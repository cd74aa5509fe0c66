import { afterAll, expect, test } from "vitest";
import { oneTenantId } from "../../../test/harness/processor.ts";
import { bombPdf, sampleDocx, samplePdf, sampleZip } from "../../../test/harness/sample-files.ts";
import { createSandbox } from "../../platform/sandbox/sandbox.ts";
import { extractText } from "./extract-text.ts";
import type { UploadedFile } from "./file-kind.ts";

const sandbox = createSandbox(256);
afterAll(() => sandbox.close());

const extract = (name: string, bytes: string | Uint8Array, contentType = "") => {
  const file: UploadedFile = { name, contentType, bytes: Buffer.from(bytes) };
  return extractText(oneTenantId, file, { sandbox });
};

test.each([
  ["Markdown as it is", "guide.md", "# Guide\n\nPress **start**.", "# Guide\n\nPress **start**."],
  [
    "HTML without markup",
    "page.html",
    "<h1>Guide</h1><script>x</script><p>Press start.",
    "Guide\n\nPress start.",
  ],
  [
    "CSV by its headers",
    "prices.csv",
    'Item;Price\n"Desk; oak";120\n\nLamp;30\n',
    "Item: Desk; oak\nPrice: 120\n\nItem: Lamp\nPrice: 30",
  ],
  [
    "JSON by its members",
    "a.json",
    '[{"name":"Desk","size":{"height":70}},{"name":"Lamp"}]',
    "name: Desk\nsize.height: 70\n\nname: Lamp",
  ],
  ["lines of JSON", "a.jsonl", '{"name":"Desk"}\n{"name":"Lamp"}\n', "name: Desk\n\nname: Lamp"],
  ["a file of an unknown extension as text", "main.py", "print(1)", "print(1)"],
  ["UTF-16 by its byte order mark", "a.txt", Buffer.from("\ufeffSchön", "utf16le"), "Schön"],
  ["PDF page by page", "a.pdf", samplePdf(["Page one.", "Page two."]), "Page one.\n\nPage two."],
  [
    "DOCX with its headings",
    "a.docx",
    sampleDocx("Returns", "Within 30 days."),
    "# Returns\n\nWithin 30 days.",
  ],
])("reads %s", async (_, name, bytes, text) => {
  const extracted = await extract(name, bytes);
  expect(extracted).toEqual({ ok: true, text: expect.any(String) });
  expect(extracted.ok && extracted.text.trim()).toBe(text);
});

test("reads a file without an extension by its media type, else by its content", async () => {
  for (const type of ["constructor", "__proto__", "text/plain"]) {
    expect(await extract("notes", "Hello", type)).toEqual({ ok: true, text: "Hello" });
  }
  expect(await extract("prices", "a,b\n1,2", "text/csv; charset=utf-8")).toEqual({
    ok: true,
    text: "a: 1\nb: 2",
  });
  expect(await extract("guide", samplePdf(["Page one."]))).toMatchObject({ ok: true });
});

const encryption =
  "/ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff> /U <00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff> >> ";
const bomb = (part: string) => sampleZip({ [part]: Buffer.alloc(160 * 1024 * 1024) });

/** Returns an archive with other values in its last record. */
const declaring = (at: number, bytes: number, value: number): Buffer => {
  const zip = sampleDocx("Returns", "Within 30 days.");
  zip.writeUIntLE(value, zip.length - 22 + at, bytes);
  return zip;
};

test.each([
  ["an encrypted PDF", "a.pdf", samplePdf(["Secret."], encryption), /is encrypted/],
  ["a broken PDF", "a.pdf", "%PDF-1.4 nothing", /not a valid PDF/],
  ["a scanned PDF", "a.pdf", samplePdf(["", ""]), /no text.*OCR/],
  ["an encrypted DOCX", "a.docx", Buffer.from("d0cf11e0a1b11ae1", "hex"), /encrypted/],
  ["a broken DOCX", "a.docx", "PK nothing", /not a valid DOCX/],
  [
    "a DOCX with too large a part",
    "a.docx",
    bomb("word/document.xml"),
    /too large when it is expanded/,
  ],
  [
    "a DOCX with too large an image",
    "a.docx",
    bomb("word/media/a.png"),
    /too large when it is expanded/,
  ],
  ["a DOCX that declares fewer parts than it has", "a.docx", declaring(10, 2, 0), /is broken/],
  [
    "a DOCX that declares another directory (ZIP64)",
    "a.docx",
    declaring(4, 2, 65_535),
    /is broken/,
  ],
  ["a DOCX that declares a smaller directory", "a.docx", declaring(12, 4, 46), /is broken/],
  ["an archive that is no DOCX", "a.docx", sampleZip({ "a.txt": "a" }), /not a valid DOCX/],
  ["an image", "a.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]), /is not text, Markdown/],
  ["broken JSON", "a.json", "{", /not valid JSON/],
  ["CSV with broken quotes", "a.csv", 'a,b\n"1,2', /not valid CSV/],
  ["a file of white space", "a.txt", " \n ", /has no text/],
])("refuses %s with the reason", async (_, name, bytes, reason) => {
  const extracted = await extract(name, bytes);
  expect(extracted).toEqual({ ok: false, reason: expect.stringMatching(reason) });
});

test("ends a file that takes too long, and reads the next one", { tags: "nightly" }, async () => {
  const slow = {
    name: "a.json",
    contentType: "",
    bytes: Buffer.from(`${'{"a":'.repeat(150)}1${"}".repeat(150)}`),
  };
  const many = Buffer.from(
    `[${Array.from({ length: 3_000 }, () => slow.bytes.toString()).join(",")}]`,
  );
  const extracted = await extractText(
    oneTenantId,
    { ...slow, bytes: many },
    { sandbox, readMs: 1 },
  );
  expect(extracted).toEqual({ ok: false, reason: "takes too long to read." });
  expect(await extract("a.txt", "next")).toEqual({ ok: true, text: "next" });
});

test("ends a file that expands to more than the thread's memory, in its heap or outside of it", async () => {
  const small = createSandbox(64);
  const file = { name: "a.pdf", contentType: "", bytes: bombPdf(400_000_000) };
  const extracted = await extractText(oneTenantId, file, { sandbox: small });
  expect(extracted).toEqual({ ok: false, reason: "exceeds the memory limit." });
  await small.close();
});

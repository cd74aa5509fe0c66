import { expect, test } from "vitest";
import { plainContext, readAll } from "../../../../test/harness/source-apis/read-source.ts";
import { servingSources } from "../../../../test/harness/source-apis/serve.ts";
import { isTextFile, maxFileBytes, readAttachment } from "./text-file.ts";

const serve = servingSources();

test.each([
  ["text/plain; charset=utf-8", "a", true],
  ["application/json", "a", true],
  ["application/ld+json", "a", true],
  ["application/xml", "a", true],
  ["text/csv", "a", true],
  ["application/octet-stream", "a.md", true],
  [undefined, "README.TXT", true],
  ["application/octet-stream", "a.exe", false],
  ["application/pdf", "a.txt", false],
  ["image/svg+xml", "a.svg", false],
  ["text/rtf", "a.rtf", false],
  ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "a.docx", false],
])("%s named %s is counted: %s", (mediaType, fileName, isText) => {
  expect(isTextFile(mediaType, fileName)).toBe(isText);
});

const read = async (url: string, more: { mediaType?: string; fileName?: string } = {}) => {
  const file = { url, fileName: "a.txt", headers: { authorization: "Bearer x" }, ...more };
  const [document] = await readAll(
    (async function* () {
      yield { fileName: "a", text: readAttachment(plainContext(), file) };
    })(),
  );
  return document?.[1];
};

test("reads the first 10 MiB", { tags: "nightly" }, async () => {
  const { url } = await serve(() => ({ body: "x".repeat(maxFileBytes + 1_000_000) }));
  expect((await read(url))?.length).toBe(maxFileBytes);
});

test("decodes the character set of the response, unknown ones as UTF-8", async () => {
  const respondIn = (charset: string) => () => ({
    headers: { "content-type": `text/plain; charset=${charset}` },
    body: "é",
  });
  const latin = await serve(respondIn("iso-8859-1"));
  expect(await read(latin.url)).toBe("Ã©");
  const unknown = await serve(respondIn("klingon"));
  expect(await read(unknown.url)).toBe("é");
});

test.each([403, 404])("has no text when the source responds with %i", async (status) => {
  const { url } = await serve(() => ({ status }));
  expect(await read(url)).toBe("");
});

test("fails when the source fails or redirects endlessly", async () => {
  const broken = await serve(() => ({ status: 500 }));
  await expect(read(broken.url)).rejects.toMatchObject({ upstreamStatus: 500 });
  const circle = await serve(() => ({ status: 302, headers: { location: "/" } }));
  await expect(read(circle.url)).rejects.toMatchObject({ kind: "too-many-redirects" });
});

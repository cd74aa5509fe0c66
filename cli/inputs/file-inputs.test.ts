import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, expect, test } from "vitest";
import { createClient } from "../../client/client.ts";
import type { Io } from "../io.ts";
import type { DeclaredInput } from "./declared-inputs.ts";
import { takeFileInputs, uploadFileInputs } from "./file-inputs.ts";

const folder = mkdtempSync(join(tmpdir(), "wharf-inputs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, "a,b.txt"), "abc");
writeFileSync(join(folder, "large.txt"), "0123456789");

const io: Io = {
  stdin: new PassThrough(),
  stdout: new PassThrough(),
  stderr: new PassThrough(),
  env: {},
  cwd: folder,
  interrupt: () => new AbortController().signal,
  openBrowser: () => undefined,
};

const declare = (name: string, more: Partial<DeclaredInput>): DeclaredInput => ({
  ...{ name, type: "File", index: null, typeName: null, integerRange: null, floatRange: null },
  ...{ options: [], asset: null, displayName: null, description: null, required: false },
  ...{ secret: false, defaultValue: null, jsonSchema: null, uiHint: null, rules: [] },
  ...more,
});
const declared = [
  declare("photo", { maxBytes: 5 }),
  declare("papers", { multiple: true }),
  declare("note", { type: "String" }),
];

const id = "0193f0a0-7c4b-7000-8000-000000000000";

const run = async (...texts: [string, string][]) => {
  const { others, files } = await takeFileInputs({ values: {}, texts }, declared, io);
  const uploads: string[] = [];
  const client = createClient({
    baseUrl: "https://api.example.com",
    fetch: async (request) => {
      uploads.push(new URL(request.url).searchParams.get("name") ?? "");
      return Response.json({ id: `stored-${uploads.length}` });
    },
  });
  const session = { client, tenant: "demo" };
  return { texts: others.texts, uploads, input: await uploadFileInputs(session, files, io) };
};

test("a path is uploaded, and addresses, ids and JSON name files; other inputs stay texts", async () => {
  await expect(run(["photo", "@a,b.txt"], ["note", "@a,b.txt"])).resolves.toEqual({
    texts: [["note", "@a,b.txt"]],
    uploads: ["a,b.txt"],
    input: { photo: { fileId: "stored-1" } },
  });
  for (const [text, value] of [
    ["https://example.com/a.png", { url: "https://example.com/a.png" }],
    [id, { fileId: id }],
    ['{"base64": "YQ==", "name": "a"}', { base64: "YQ==", name: "a" }],
    [JSON.stringify({ id, name: "a", mediaType: "text/plain", bytes: 1 }), { fileId: id }],
  ] as const) {
    expect((await run(["photo", text])).input).toEqual({ photo: value });
  }
});

test("an input with several files has those of all its options; of others the last one counts", async () => {
  const { input, uploads } = await run(
    ["papers", "@a,b.txt"],
    ["papers", `[{"fileId": "${id}"}, {"url": "https://example.com"}]`],
    ["papers", "@large.txt"],
    ["photo", "@a,b.txt"],
    ["photo", id],
  );
  expect(uploads).toEqual(["a,b.txt", "large.txt"]);
  expect(input).toEqual({
    papers: [
      { fileId: "stored-1" },
      { fileId: id },
      { url: "https://example.com" },
      { fileId: "stored-2" },
    ],
    photo: { fileId: id },
  });
});

test.each([
  ["photo", "@none.txt", "none.txt cannot be read."],
  ["photo", "@large.txt", "--input photo: large.txt has 10 bytes; at most 5 are accepted."],
  ["photo", "cat.png", "--input photo must be @PATH, an http or https address, the id of a stored"],
  ["photo", '{"file": "a"}', '--input photo must be a file: {"fileId"}, {"url"} or'],
])(
  "the input %s with the text %s is refused before anything is uploaded",
  async (name, text, message) => {
    await expect(run([name, text])).rejects.toThrow(message);
  },
);

test("without declarations all inputs stay texts", async () => {
  const texts = [["photo", "@a,b.txt"]] as const;
  const taken = await takeFileInputs({ values: {}, texts }, undefined, io);
  expect(taken).toEqual({ others: { values: {}, texts }, files: [] });
});

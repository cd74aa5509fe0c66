import { expect, test } from "vitest";
import { googleDriveApi } from "../../../test/harness/source-apis/google-drive-api.ts";
import { plainContext, readAll } from "../../../test/harness/source-apis/read-source.ts";
import { servingSources } from "../../../test/harness/source-apis/serve.ts";
import { createSource } from "./source.ts";

const serve = servingSources();
const google = (name: string) => `application/vnd.google-apps.${name}`;
const refreshToken = "1//refresh";

const sourceAt = (url: string) =>
  createSource({
    GOOGLE_CLIENT_ID: "client",
    GOOGLE_CLIENT_SECRET: "secret",
    SOURCE_URL_GOOGLE_TOKEN: `${url}/token`,
    SOURCE_URL_GOOGLE_DRIVE: url,
  });

const items = [
  { id: "top", name: "Top", mimeType: google("folder") },
  { id: "doc", name: "Plan", mimeType: google("document"), parent: "top", content: "plan" },
  { id: "sheet", name: "Costs", mimeType: google("spreadsheet"), parent: "top", content: "a,b" },
  { id: "slides", name: "Talk", mimeType: google("presentation"), parent: "top", content: "talk" },
  { id: "text", name: "notes.md", mimeType: "text/markdown", parent: "top", content: "# Notes" },
  { id: "html", name: "a.html", mimeType: "text/html", parent: "top", content: "<p>a</p>" },
  { id: "pdf", name: "a.pdf", mimeType: "application/pdf", parent: "top", content: "%PDF" },
  { id: "form", name: "Form", mimeType: google("form"), parent: "top" },
  { id: "sub", name: "Sub", mimeType: google("folder"), parent: "top" },
  { id: "deep", name: "deep.txt", mimeType: "text/plain", parent: "sub", content: "deep" },
  {
    id: "link",
    name: "Link to top",
    mimeType: google("shortcut"),
    parent: "sub",
    shortcutDetails: { targetId: "top" },
  },
  {
    id: "link2",
    name: "Link to far",
    mimeType: google("shortcut"),
    parent: "sub",
    shortcutDetails: { targetId: "far" },
  },
  {
    id: "link3",
    name: "Link to what is gone",
    mimeType: google("shortcut"),
    parent: "sub",
    shortcutDetails: { targetId: "gone" },
  },
  { id: "far", name: "far.txt", mimeType: "text/plain", content: "far" },
];

test("reads the files of a folder and its subfolders once", async () => {
  const { url } = await serve(googleDriveApi(items));
  const reading = sourceAt(url).read({ folderId: "top", refreshToken }, plainContext());
  expect(await readAll(reading)).toEqual([
    ["Plan", "text/plain: plan"],
    ["Costs", "text/csv: a,b"],
    ["Talk", "text/plain: talk"],
    ["notes.md", "# Notes"],
    ["a.html", "a"],
    ["a.pdf", ""],
    ["Form", ""],
    ["Sub/deep.txt", "deep"],
    ["Sub/Link to far", "far"],
  ]);
});

test("reads files by their ids once", async () => {
  const { url } = await serve(googleDriveApi(items));
  const reading = sourceAt(url).read({ fileIds: "far, doc,far,", refreshToken }, plainContext());
  expect(await readAll(reading)).toEqual([
    ["far.txt", "far"],
    ["Plan", "text/plain: plan"],
  ]);
});

test("reads a document that is too large to export through its export link", async () => {
  const { url } = await serve(
    googleDriveApi([{ id: "big", name: "Big", mimeType: google("document"), large: "all of it" }]),
  );
  const reading = sourceAt(url).read({ fileIds: "big", refreshToken }, plainContext());
  expect(await readAll(reading)).toEqual([["Big", "all of it"]]);
});

test("does not send the token where an export link leads elsewhere", async () => {
  const other = await serve(() => ({ body: "elsewhere" }));
  const api = googleDriveApi([
    { id: "big", name: "Big", mimeType: google("document"), large: "all of it" },
  ]);
  const { url } = await serve((request, at) =>
    api(request, request.path === "/token" ? at : other.url),
  );
  const reading = readAll(sourceAt(url).read({ fileIds: "big", refreshToken }, plainContext()));
  await expect(reading).rejects.toMatchObject({ upstreamStatus: 403 });
  expect(other.requests).toEqual([]);
});

test("counts a file that may not be downloaded as empty", async () => {
  const file = { id: "a", name: "a.txt", mimeType: "text/plain", content: "secret" };
  const { url } = await serve(googleDriveApi([{ ...file, capabilities: { canDownload: false } }]));
  const reading = sourceAt(url).read({ fileIds: "a", refreshToken }, plainContext());
  expect(await readAll(reading)).toEqual([["a.txt", ""]]);
});

test.each([{}, { fileIds: "", folderId: "" }, { fileIds: "a", folderId: "b" }])(
  "wants either files or a folder, not %j",
  (given) => {
    const problems = sourceAt("http://x").check?.({ ...given, refreshToken });
    expect(problems?.map(({ pointer }) => pointer)).toEqual(["/fileIds", "/folderId"]);
  },
);

test("reports a rejected refresh token as rejected credentials", async () => {
  const { url } = await serve(googleDriveApi(items));
  const wrong = { folderId: "top", refreshToken: "1//wrong" };
  await expect(readAll(sourceAt(url).read(wrong, plainContext()))).rejects.toMatchObject({
    name: "UpstreamError",
    upstreamStatus: 401,
  });
});

test("names the setting that a deployment lacks", async () => {
  const source = createSource({ GOOGLE_CLIENT_ID: "client" });
  const reading = readAll(source.read({ folderId: "top", refreshToken }, plainContext()));
  await expect(reading).rejects.toThrow("lacks the setting GOOGLE_CLIENT_SECRET");
});

test("fails when a page repeats", async () => {
  const api = googleDriveApi([]);
  const { url } = await serve((request, at) =>
    request.path === "/drive/v3/files"
      ? { body: { files: [], nextPageToken: "a" } }
      : api(request, at),
  );
  const reading = readAll(sourceAt(url).read({ folderId: "f", refreshToken }, plainContext()));
  await expect(reading).rejects.toThrow("the same page twice");
});

test("reads only the given folder", async () => {
  const { url, requests } = await serve(googleDriveApi([]));
  const folderId = "x' in parents or 'y";
  await readAll(sourceAt(url).read({ folderId, refreshToken }, plainContext()));
  expect(requests[1]?.query.get("q")).toBe(
    "'x\\' in parents or \\'y' in parents and trashed = false",
  );
});

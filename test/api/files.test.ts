import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { StoredFile, UploadAddress } from "../../lib/files/schemas.ts";
import { call, expectProblem, newOrganization } from "../harness/api.ts";

const png = Buffer.concat([
  Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"),
  Buffer.alloc(64),
]);

describe("files", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;
  let key: string;
  beforeAll(async () => {
    own = await newOrganization();
    key = await own.mintKey(["agents:execute"]);
    await own.deployAgent("reader", {
      parametersMetadata: [{ name: "photo", type: "File", accept: ["image/*"], required: true }],
      flow: { steps: [{ id: "out", type: "Output", value: "{% input.photo %}" }], edges: [] },
    });
  });

  const path = (rest: string) => `/v1/tenants/${own.slug}/files${rest}`;
  const store = async (name: string, raw: string | Uint8Array, as = key) => {
    const query = new URLSearchParams({ name });
    const response = await call("POST", path(`?${query}`), { key: as, raw });
    expect(response.status, response.text).toBe(201);
    return StoredFile.parse(response.body);
  };
  const download = async (id: string, as = key) => {
    const response = await call("GET", path(`/${id}/content`), { key: as });
    expect(response.status, response.text).toBe(302);
    return fetch(response.headers.get("location") ?? "");
  };
  const status = async (method: string, rest: string, as: string) =>
    (await call(method, path(rest), { key: as })).status;

  test("are stored, described, downloaded as they are, and deleted", async () => {
    const file = await store("Käfer <1>.png", png);
    expect(file).toMatchObject({
      name: "Käfer <1>.png",
      mediaType: "image/png",
      bytes: png.byteLength,
      sha256: createHash("sha256").update(png).digest("hex"),
    });
    expect(file.expiresAt - file.createdAt).toBe(30 * 24 * 3_600_000);
    expect((await call("GET", path(`/${file.id}`), { key })).body).toEqual(file);

    const content = await download(file.id);
    expect(Buffer.from(await content.arrayBuffer())).toEqual(png);
    expect(content.headers.get("content-type")).toBe("image/png");
    expect(content.headers.get("content-disposition")).toBe(
      `attachment; filename="K_fer <1>.png"; filename*=UTF-8''K%C3%A4fer%20%3C1%3E.png`,
    );
    const shown = await call("GET", path(`/${file.id}/content?redirect=false`), { key });
    const { url } = z.object({ url: z.url() }).parse(shown.body);
    expect((await fetch(url)).status).toBe(200);

    expect(await status("DELETE", `/${file.id}`, key)).toBe(204);
    expect(await status("GET", `/${file.id}`, key)).toBe(404);
    expect(await status("GET", `/${file.id}/content`, key)).toBe(404);
    expect((await fetch(url)).status).not.toBe(200);
  });

  test("are never shown by a browser, whatever they contain", async () => {
    const page = await store("page.html", "<script>alert(1)</script>");
    const content = await download(page.id);
    expect(content.headers.get("content-disposition")).toMatch(/^attachment;/);
  });

  test("of up to 64 MiB are sent to an address of their own", async () => {
    const content = Buffer.alloc(5 * 1024 * 1024, "x");
    const body = { name: "large.txt", mediaType: "text/plain", bytes: content.byteLength };
    const created = await call("POST", path(":upload"), { key, body });
    const { id, uploadUrl, headers } = UploadAddress.parse(created.body);
    expect(await status("GET", `/${id}`, key)).toBe(404);
    expect(expectProblem(await call("POST", path(`/${id}:complete`), { key })).slug).toBe(
      "conflict",
    );
    expect((await fetch(uploadUrl, { method: "PUT", headers, body: content })).status).toBe(200);
    const completed = await call("POST", path(`/${id}:complete`), { key });
    expect(StoredFile.parse(completed.body)).toMatchObject({
      id,
      mediaType: "text/plain",
      bytes: content.byteLength,
      sha256: createHash("sha256").update(content).digest("hex"),
    });
    expect((await call("POST", path(`/${id}:complete`), { key })).body).toEqual(completed.body);
    expect((await (await download(id)).arrayBuffer()).byteLength).toBe(content.byteLength);
  });

  test.each([
    ["a path as its name", "name=a%2Fb", png, "validation-failed"],
    ["no name", "", png, "validation-failed"],
    ["too many days", "name=a&retentionDays=366", png, "validation-failed"],
    ["more than 4 MiB", "name=a", Buffer.alloc(4 * 1024 * 1024 + 1), "payload-too-large"],
  ])("with %s are refused", async (_, query, raw, slug) => {
    const response = await call("POST", path(`?${query}`), { key, raw });
    expect(expectProblem(response).slug).toBe(slug);
  });

  test("a repeated request with an Idempotency-Key stores one file", async () => {
    const headers = { "Idempotency-Key": "one" };
    const send = () => call("POST", path("?name=a.png"), { key, raw: png, headers });
    expect((await send()).body).toEqual((await send()).body);
  });

  test("of a run are read by those who read its record, and by no others", async () => {
    const file = await store("cat.png", png);
    const [reader, stranger] = await Promise.all([
      own.mintKey(["executions:read"]),
      own.mintKey(["agents:execute"]),
    ]);
    expect(await status("GET", `/${file.id}`, reader)).toBe(404);
    const run = await call("POST", `/v1/tenants/${own.slug}/agents/reader:execute`, {
      key,
      body: { input: { photo: { fileId: file.id } } },
    });
    const { id, name, mediaType, bytes } = file;
    expect(run.body).toMatchObject({ output: { id, name, mediaType, bytes } });
    expect(await status("GET", `/${file.id}`, reader)).toBe(200);
    expect((await download(file.id, reader)).status).toBe(200);
    expect(await status("GET", `/${file.id}`, stranger)).toBe(404);
    expect(await status("DELETE", `/${file.id}`, reader)).toBe(403);
    const other = await newOrganization();
    const elsewhere = await call("GET", `/v1/tenants/${other.slug}/files/${file.id}`, {
      token: other.token,
    });
    expect(elsewhere.status).toBe(404);
  });

  test("of others are refused as inputs, with the pointer of the input", async () => {
    const file = await store("cat.png", png, await own.mintKey(["agents:execute"]));
    const run = await call("POST", `/v1/tenants/${own.slug}/agents/reader:execute`, {
      key,
      body: { input: { photo: { fileId: file.id } } },
    });
    expect(expectProblem(run)).toMatchObject({
      slug: "validation-failed",
      errors: [{ pointer: "/input/photo" }],
    });
  });
});

import { mkdtemp, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chooseEncoding } from "../../infra/local/console/accepted-encoding.ts";
import { createConsole } from "../../infra/local/console/serve-console.ts";

test.each([
  [undefined, undefined],
  ["", undefined],
  ["identity", undefined],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip", "gzip"],
  ["GZIP;q=0.8, br;q=0.2", "gzip"],
  ["br;q=0, *", "gzip"],
  ["*;q=0", undefined],
  ["br;q=wrong", undefined],
])("of Accept-Encoding %j the encoding is %s", (header, encoding) => {
  expect(chooseEncoding(header)).toBe(encoding);
});

describe("the console's files", () => {
  const script = `export const text = "${"wharf ".repeat(1_000)}";`;
  let origin: string;
  let close: () => Promise<void>;

  beforeAll(async () => {
    const directory = await mkdtemp(join(tmpdir(), "wharf-console-"));
    await writeFile(join(directory, "index.html"), "<!doctype html>");
    await writeFile(join(directory, "script.js"), script);
    const site = createConsole({ build: async () => directory, print: () => {} });
    site.build();
    const server = createServer((request, response) => {
      if (site.handle(request, response) === false) response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address() as AddressInfo;
    origin = `http://127.0.0.1:${address.port}/console`;
    close = async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await site.close();
    };
  });

  afterAll(() => close());

  /** Sends a request without decoding its response. */
  const get = async (path: string, headers: Record<string, string>, method = "GET") => {
    const { request } = await import("node:http");
    return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
      (resolve, reject) => {
        const sent = request(`${origin}${path}`, { method, headers }, (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(parts),
            }),
          );
        });
        sent.on("error", reject).end();
      },
    );
  };

  test("are compressed as the caller accepts, and have a tag for each encoding", async () => {
    const plain = await get("/script.js", {});
    const brotli = await get("/script.js", { "accept-encoding": "gzip, br" });
    const gzipped = await get("/script.js", { "accept-encoding": "gzip" });
    expect(plain.body.toString()).toBe(script);
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(brotliDecompressSync(brotli.body).toString()).toBe(script);
    expect(gunzipSync(gzipped.body).toString()).toBe(script);
    for (const { headers, body } of [plain, brotli, gzipped]) {
      expect(headers).toMatchObject({
        vary: "Accept-Encoding",
        "content-length": String(body.length),
        "content-type": "text/javascript; charset=utf-8",
      });
    }
    expect(new Set([plain, brotli, gzipped].map(({ headers }) => headers.etag)).size).toBe(3);
  });

  test("are not sent again to a caller who has them", async () => {
    const headers = { "accept-encoding": "br" };
    const first = await get("/script.js", headers);
    const again = await get("/script.js", {
      ...headers,
      "if-none-match": `W/${first.headers.etag}`,
    });
    expect(again).toMatchObject({ status: 304, headers: { etag: first.headers.etag } });
    expect(again.body).toHaveLength(0);
    const other = await get("/script.js", { "if-none-match": String(first.headers.etag) });
    expect(other.status).toBe(200);
  });

  test("of a HEAD have no body, small ones are not compressed, and other paths are the application", async () => {
    const head = await get("/script.js", { "accept-encoding": "br" }, "HEAD");
    expect(head).toMatchObject({ status: 200, headers: { "content-encoding": "br" } });
    expect(head.body).toHaveLength(0);
    const page = await get("/t/demo/agents", { "accept-encoding": "br" });
    expect(page.headers["content-encoding"]).toBeUndefined();
    expect(page.body.toString()).toBe("<!doctype html>");
    expect((await get("/assets/missing.js", {})).status).toBe(404);
  });
});

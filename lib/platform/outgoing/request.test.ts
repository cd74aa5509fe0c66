import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isBlockedAddress } from "./blocked-address.ts";
import { request } from "./request.ts";

type Seen = { method: string; url: string; headers: IncomingMessage["headers"]; body: string };

const seen: Seen[] = [];
const responses: { [path: string]: (response: ServerResponse) => void } = {
  "/ok": (response) => response.setHeader("x-many", ["a", "b"]).end("fine"),
  "/large": (response) => response.end("x".repeat(2_000)),
  "/chunks": (response) => {
    for (let count = 0; count < 20; count += 1) response.write("x".repeat(100));
    response.end();
  },
  "/headers": (response) => response.setHeader("x-large", "x".repeat(40_000)).end(),
  "/never": () => {},
  "/half": (response) => void response.write("half"),
  "/broken": (response) => void response.destroy(),
  "/missing": (response) => response.writeHead(404).end("none"),
  "/loop": (response) => response.writeHead(302, { location: "/loop" }).end(),
  "/to-ftp": (response) => response.writeHead(302, { location: "ftp://example.com/" }).end(),
  "/no-location": (response) => response.writeHead(302).end("here"),
  "/to-other": (response) =>
    response.writeHead(307, { location: `http://other.example:${port}/ok` }).end(),
  "/to-private": (response) =>
    response.writeHead(302, { location: `http://inside.example:${port}/ok` }).end(),
};
for (const status of [301, 302, 303, 307, 308]) {
  responses[`/to-ok-${status}`] = (response) =>
    response.writeHead(status, { location: "/ok?x=1" }).end();
}

const server = createServer((incoming, response) => {
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
  incoming.on("end", () => {
    const { method = "", url = "", headers } = incoming;
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    responses[url.split("?")[0] ?? ""]?.(response);
  });
});
let port = 0;

const listen = async (listening: Server): Promise<number> => {
  await new Promise<void>((done) => listening.listen(0, "127.0.0.1", done));
  const address = listening.address();
  return typeof address === "object" && address ? address.port : 0;
};

beforeAll(async () => {
  port = await listen(server);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const looked: string[] = [];
const local = {
  allowPrivateAddresses: true,
  lookup: async (hostname: string) => {
    looked.push(hostname);
    return [{ address: "127.0.0.1", family: 4 }];
  },
};
const url = (path: string, host = "api.example") => `http://${host}:${port}${path}`;
const last = () => seen.at(-1);

describe("isBlockedAddress", () => {
  test.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.255",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "168.63.129.16",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "::ffff:0:127.0.0.1",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::1",
    "2002:7f00:1::",
    "2001::1",
    "2001:db8::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "ff02::1",
    "100::1",
    "localhost",
    "",
    "1.2.3",
    "0x7f.1",
  ])("%s is blocked", (address) => {
    expect(isBlockedAddress(address)).toBe(true);
  });

  test.each([
    "1.1.1.1",
    "8.8.8.8",
    "100.63.255.255",
    "100.128.0.1",
    "172.32.0.1",
    "192.167.255.255",
    "223.255.255.255",
    "2606:4700::1111",
    "2a00:1450::1",
  ])("%s is allowed", (address) => {
    expect(isBlockedAddress(address)).toBe(false);
  });
});

describe("an address that is not public is refused", () => {
  test.each([
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.0.0.1/",
    "https://017700000001/",
    "https://0177.0.0.1/",
    "https://0/",
    "https://169.254.169.254/latest/meta-data/",
    "https://[::1]/",
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[64:ff9b::127.0.0.1]/",
    "https://[2002:7f00:1::]/",
    "https://[fd00:ec2::254]/",
    "https://[fe80::1]/",
    "https://10.0.0.1:8443/",
    "https://１２７.0.0.1/",
  ])("%s", async (address) => {
    await expect(request({ url: address })).rejects.toMatchObject({ kind: "blocked-address" });
  });

  test("a name that resolves to one, even in addition to a public one", async () => {
    const lookup = async () => [
      { address: "93.184.216.34", family: 4 },
      { address: "10.0.0.7", family: 4 },
    ];
    await expect(request({ url: "https://api.example/" }, { lookup })).rejects.toMatchObject({
      kind: "blocked-address",
      host: "api.example",
    });
  });

  test("a redirect's host is checked like the first", async () => {
    const lookup = async (hostname: string) => {
      if (hostname === "inside.example") throw new Error("looked up");
      return [{ address: "127.0.0.1", family: 4 }];
    };
    await expect(
      request({ url: url("/to-private") }, { allowPrivateAddresses: true, lookup }),
    ).rejects.toMatchObject({ kind: "connection-failed", host: "inside.example" });
  });
});

describe("a request", () => {
  test("is resolved once and goes to the address that was checked", async () => {
    looked.length = 0;
    const response = await request({ url: url("/ok"), headers: { "X-Token": "t" } }, local);
    expect(response).toMatchObject({ status: 200, headers: { "x-many": "a, b" } });
    expect(response.body.toString()).toBe("fine");
    expect(looked).toEqual(["api.example"]);
    expect(last()?.headers).toMatchObject({
      host: `api.example:${port}`,
      "x-token": "t",
      "accept-encoding": "identity",
      "user-agent": "wharf",
    });
  });

  test("returns responses with statuses of 400 and above, too", async () => {
    expect(await request({ url: url("/missing") }, local)).toMatchObject({ status: 404 });
  });

  test("keeps to itself the headers of the connection", async () => {
    const headers = {
      Host: "evil.example",
      Connection: "upgrade",
      "Transfer-Encoding": "chunked",
      "Content-Length": "999",
      "Accept-Encoding": "gzip",
      Expect: "100-continue",
      TE: "x",
    };
    await request({ url: url("/ok"), method: "POST", body: "hello", headers }, local);
    expect(last()).toMatchObject({
      method: "POST",
      body: "hello",
      headers: {
        host: `api.example:${port}`,
        "content-length": "5",
        "accept-encoding": "identity",
      },
    });
    expect(last()?.headers).not.toHaveProperty("te");
    expect(last()?.headers["transfer-encoding"]).toBeUndefined();
  });

  test.each([
    ["a line break in a header's value", { headers: { a: "b\r\nx: y" } }],
    ["a line break in a header's name", { headers: { "a\r\nb": "c" } }],
    ["an empty header name", { headers: { "": "c" } }],
    ["an unknown method", { method: "CONNECT" }],
    ["a line break in the method", { method: "GET /\r\nx: y" }],
  ])("%s is refused", async (_name, more) => {
    await expect(request({ url: url("/ok"), ...more }, local)).rejects.toMatchObject({
      kind: "bad-request",
    });
  });

  test.each([
    ["no URL", "nope", {}],
    ["another protocol", "file:///etc/passwd", local],
    ["http where only https may be", "http://api.example/", { lookup: local.lookup }],
    ["a user and password", "https://user:secret@api.example/", {}],
    ["a very long URL", `https://api.example/${"x".repeat(10_000)}`, {}],
    ["a redirect to another protocol", "/to-ftp", local],
  ])("%s is refused", async (_name, address, options) => {
    const target = address.startsWith("/") ? url(address) : address;
    await expect(request({ url: target }, options)).rejects.toMatchObject({ kind: "bad-url" });
  });
});

describe("redirects", () => {
  test.each([
    [301, "POST", "GET", ""],
    [302, "POST", "GET", ""],
    [303, "POST", "GET", ""],
    [307, "POST", "POST", "hello"],
    [308, "POST", "POST", "hello"],
    [301, "PUT", "PUT", "hello"],
    [303, "PUT", "GET", ""],
    [303, "HEAD", "HEAD", ""],
  ])("%i after %s continues with %s", async (status, method, next, body) => {
    const call = {
      url: url(`/to-ok-${status}`),
      method,
      headers: { "content-type": "text/plain", authorization: "Bearer t" },
    };
    await request({ ...call, ...(method === "HEAD" ? {} : { body: "hello" }) }, local);
    expect(last()).toMatchObject({
      method: next,
      url: "/ok?x=1",
      body,
      headers: { authorization: "Bearer t" },
    });
    expect(last()?.headers["content-type"]).toBe(next === method ? "text/plain" : undefined);
  });

  test("another origin gets no credentials, of whatever name", async () => {
    const headers = {
      authorization: "Bearer t",
      cookie: "c=1",
      "x-api-key": "k",
      accept: "text/plain",
    };
    await request({ url: url("/to-other"), headers }, local);
    expect(last()?.headers).toMatchObject({ host: `other.example:${port}`, accept: "text/plain" });
    for (const name of ["authorization", "cookie", "x-api-key"])
      expect(last()?.headers).not.toHaveProperty(name);
  });

  test("end after five", async () => {
    const before = seen.length;
    await expect(request({ url: url("/loop") }, local)).rejects.toMatchObject({
      kind: "too-many-redirects",
    });
    expect(seen.length - before).toBe(6);
  });

  test("without a location are returned", async () => {
    expect(await request({ url: url("/no-location") }, local)).toMatchObject({ status: 302 });
  });
});

describe("limits", () => {
  test.each(["/large", "/chunks"])("of the body's size apply to %s", async (path) => {
    await expect(request({ url: url(path), maxBytes: 1_000 }, local)).rejects.toMatchObject({
      kind: "too-large",
    });
    expect((await request({ url: url(path), maxBytes: 2_000 }, local)).body).toHaveLength(2_000);
  });

  test("of the headers' size apply", async () => {
    await expect(request({ url: url("/headers") }, local)).rejects.toMatchObject({
      kind: "too-large",
    });
  });

  test.each(["/never", "/half"])("of time apply to %s", async (path) => {
    await expect(request({ url: url(path), timeoutMs: 50 }, local)).rejects.toMatchObject({
      kind: "timeout",
    });
  });

  test("of time apply to a name that is slow to resolve", async () => {
    const lookup = () => new Promise<never>(() => {});
    await expect(
      request({ url: url("/ok"), timeoutMs: 20 }, { ...local, lookup }),
    ).rejects.toMatchObject({ kind: "timeout" });
  });

  test("the caller's signal ends the call with its reason", async () => {
    const caller = new AbortController();
    const calling = request({ url: url("/never"), signal: caller.signal }, local);
    const reason = new Error("not needed any more");
    caller.abort(reason);
    await expect(calling).rejects.toBe(reason);
    await expect(request({ url: url("/ok"), signal: caller.signal }, local)).rejects.toBe(reason);
  });
});

describe("failures", () => {
  test("of the connection are reported without path and query", async () => {
    const failure = await request({ url: url("/broken?token=secret") }, local).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ kind: "connection-failed", host: `api.example:${port}` });
    expect(String(failure)).not.toMatch(/secret|broken/);
  });

  test("of a server that speaks no HTTP", async () => {
    const tcp = createTcpServer((socket) => socket.end("nonsense\r\n\r\n"));
    const tcpPort = await listen(tcp);
    await expect(request({ url: `http://api.example:${tcpPort}/` }, local)).rejects.toMatchObject({
      kind: "connection-failed",
    });
    tcp.close();
  });

  test("leave no connection open", async () => {
    await request({ url: url("/half"), timeoutMs: 50 }, local).catch(() => {});
    await request({ url: url("/large"), maxBytes: 10 }, local).catch(() => {});
    await expect
      .poll(() => new Promise((done) => server.getConnections((_error, count) => done(count))))
      .toBe(0);
  });
});

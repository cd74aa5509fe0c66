import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { afterEach, expect, test } from "vitest";
import { createGuardedFetch } from "./guarded-fetch.ts";
import { OutgoingError } from "./outgoing-error.ts";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no address");
  return `http://127.0.0.1:${address.port}`;
};

const open = createGuardedFetch({ allowPrivateAddresses: true });

const failure = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "no failure",
    (error: unknown) => error,
  );

test("passes on the request, and streams the response", async () => {
  const gate = Promise.withResolvers<void>();
  const url = await serve(async (request, response) => {
    const sent = Buffer.concat(await request.toArray()).toString();
    response.writeHead(201, { "x-was": `${request.method} ${request.headers["x-a"]} ${sent}` });
    response.write("first ");
    await gate.promise;
    response.end("second");
  });
  const response = await open(url, { method: "POST", body: "hi", headers: { "X-A": "b" } });
  expect(response.status).toBe(201);
  expect(response.headers.get("x-was")).toBe("POST b hi");
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe("first ");
  gate.resolve();
  expect((await reader?.read())?.value).toBe("second");
  expect((await reader?.read())?.done).toBe(true);
});

test.each([
  "http://127.0.0.1/",
  "https://127.0.0.1/",
  "https://169.254.169.254/",
  "https://[::1]/",
  "https://10.0.0.1/",
  "ftp://example.com/",
  "https://user:pass@example.com/",
  "nonsense",
])("does not call %s", async (url) => {
  const error = await failure(createGuardedFetch()(url));
  expect(error).toBeInstanceOf(OutgoingError);
  expect(String(error)).not.toContain("pass");
});

test("connects to the very address that was checked, and checks every address", async () => {
  let looked = 0;
  const url = await serve((_, response) => response.end("ok"));
  const port = new URL(url).port;
  const lookup = async () => {
    looked += 1;
    return [{ address: looked === 1 ? "127.0.0.1" : "192.0.2.1", family: 4 }];
  };
  const named = createGuardedFetch({ allowPrivateAddresses: true, lookup });
  expect(await (await named(`http://models.example:${port}/`)).text()).toBe("ok");
  expect(looked).toBe(1);
  const guarded = createGuardedFetch({
    lookup: async () => [
      { address: "93.184.216.34", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ],
  });
  expect(await failure(guarded("https://models.example/"))).toMatchObject({
    kind: "blocked-address",
  });
});

test("does not follow a redirect", async () => {
  let calls = 0;
  const url = await serve((_, response) => {
    calls += 1;
    response.writeHead(302, { location: "/elsewhere" }).end();
  });
  const response = await open(url);
  expect([response.status, response.headers.get("location"), calls]).toEqual([
    302,
    "/elsewhere",
    1,
  ]);
});

test("reads no more than it may", async () => {
  const small = createGuardedFetch({ allowPrivateAddresses: true, maxBytes: 10 });
  const url = await serve((request, response) => {
    if (request.url === "/declared") response.setHeader("content-length", 11);
    response.write("12345");
    response.end("678901");
  });
  for (const path of ["/declared", "/undeclared"]) {
    const read = async () => (await small(url + path)).text();
    expect(await failure(read())).toMatchObject({ kind: "too-large" });
  }
});

test("a truncated response fails", async () => {
  const url = await serve((_, response) => {
    response.setHeader("content-length", 100);
    response.write("half", () => response.destroy());
  });
  const read = async () => (await open(url)).text();
  expect(await failure(read())).toMatchObject({ kind: "connection-failed" });
});

test.each(["before the response", "within the answer"])(
  "closes the socket when it is aborted %s, and throws the reason",
  async (when) => {
    const closed = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const url = await serve((request, response) => {
      request.socket.on("close", () => closed.resolve());
      if (when === "within the response") response.write("x");
      arrived.resolve();
    });
    const aborter = new AbortController();
    const read = async () => (await open(url, { signal: aborter.signal })).text();
    const failed = failure(read());
    await arrived.promise;
    const reason = new Error("enough");
    aborter.abort(reason);
    expect(await failed).toBe(reason);
    await closed.promise;
  },
);

test("closes the socket of a body that is not read to its end", async () => {
  const closed = Promise.withResolvers<void>();
  const url = await serve((request, response) => {
    request.socket.on("close", () => closed.resolve());
    response.write("x");
  });
  await (await open(url)).body?.cancel();
  await closed.promise;
});

test("ends immediately when it is aborted while a name is resolved", async () => {
  const aborter = new AbortController();
  const stuck = createGuardedFetch({ lookup: () => new Promise(() => {}) });
  const failed = failure(stuck("https://models.example/", { signal: aborter.signal }));
  const reason = new Error("enough");
  aborter.abort(reason);
  expect(await failed).toBe(reason);
});

test("never reveals a credential that cannot be sent", async () => {
  const error = await failure(open("http://127.0.0.1/", { headers: { "x-api-key": "se\ncret" } }));
  expect(error).toMatchObject({ kind: "bad-request" });
  expect(error).not.toHaveProperty("cause");
  expect(String(error)).not.toContain("cret");
});

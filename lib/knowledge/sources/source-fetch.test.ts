import { afterEach, describe, expect, test } from "vitest";
import { type SourceServer, startSourceServer } from "../../../test/harness/source-server.ts";
import { OutgoingError } from "../../platform/outgoing/outgoing-error.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { createSourceFetch, type SourceFetchOptions } from "./source-fetch.ts";

const open: SourceServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

const started = Date.UTC(2026, 10, 20, 12);

/** A source's fetch with a clock that runs only while it waits, and 20 s of time. */
const fetching = async (change: Partial<SourceFetchOptions> = {}) => {
  const server = await startSourceServer({ files: { "a.txt": "text" } });
  open.push(server);
  let now = started;
  const waits: number[] = [];
  const fetch = createSourceFetch({
    outgoing: { allowPrivateAddresses: true },
    clock: () => now,
    sleep: async (ms) => {
      waits.push(ms);
      now += ms;
    },
    until: started + 20_000,
    signal: new AbortController().signal,
    ...change,
  });
  return { server, fetch, waits, url: `${server.url}/files/a.txt` };
};

const catchError = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "no failure",
    (error: unknown) => error,
  );

describe("a source that throttles", () => {
  const resetIn5 = {
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(started / 1_000 + 5),
  };
  test.each([
    ["429, in seconds", 429, { "retry-after": "7" }, 7_000],
    ["503, in seconds", 503, { "retry-after": "2" }, 2_000],
    ["429, by a date", 429, { "retry-after": new Date(started + 9_000).toUTCString() }, 9_000],
    ["403, when GitHub's hour is spent", 403, resetIn5, 5_000],
    ["429, without saying for how long", 429, {}, 1_000],
  ])("is waited for: %s", async (_, status, headers, waitMs) => {
    const { server, fetch, waits, url } = await fetching();
    server.failNext({ status, headers: { ...headers } });
    expect(await (await fetch(url)).text()).toBe("text");
    expect(waits).toEqual([waitMs]);
  });

  test.each([
    ["at once when it wants longer than there is time", { "retry-after": "20" }, []],
    ["when it never stops", { "retry-after": "6" }, [6_000, 6_000, 6_000]],
  ])("is not retried %s", async (_, headers, expected) => {
    const { server, fetch, waits, url } = await fetching();
    server.failAt("/files/", { status: 429, headers: { ...headers } });
    expect(await catchError(fetch(url))).toMatchObject({ timedOut: true, upstreamStatus: 429 });
    expect(waits).toEqual(expected);
  });
});

test.each([
  [400, "check the parameters"],
  [401, "credentials"],
  [403, "access"],
  [404, "did not find"],
  [500, "try again later"],
])("status %i is an UpstreamError with advice and without the body", async (status, advice) => {
  const { server, fetch, url } = await fetching();
  server.failNext({ status, body: '{"message":"their words"}' });
  const error = await catchError(fetch(url));
  expect(error).toBeInstanceOf(UpstreamError);
  expect(error).toMatchObject({
    message: expect.stringContaining(advice),
    upstream: new URL(url).host,
    upstreamStatus: status,
    timedOut: false,
  });
  expect(String(error)).not.toContain("their words");
});

test("a GET is retried at most twice after its connection failed; a POST is not", async () => {
  const { server, fetch, waits, url } = await fetching();
  server.failNext("break", "break");
  expect(await (await fetch(url)).text()).toBe("text");
  expect(waits).toEqual([250, 500]);
  server.failNext("break", "break", "break");
  expect(await catchError(fetch(url))).toMatchObject({ kind: "connection-failed" });
  server.failNext("break");
  expect(await catchError(fetch(url, { method: "POST", body: "x" }))).toBeInstanceOf(OutgoingError);
});

describe("a redirect", () => {
  test("within the origin is followed with the same request", async () => {
    const { server, fetch, url } = await fetching();
    server.failNext({ status: 301, headers: { location: "/files/a.txt?moved" } });
    const response = await fetch(url, { headers: { authorization: "Bearer x" } });
    expect(await response.text()).toBe("text");
    expect(server.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ["/files/a.txt", "Bearer x"],
      ["/files/a.txt?moved", "Bearer x"],
    ]);
  });

  test("to another origin is not followed", async () => {
    const { server, fetch, url } = await fetching();
    server.failNext({ status: 302, headers: { location: "http://169.254.169.254/latest" } });
    const response = await fetch(url);
    expect(response.status).toBe(302);
    expect(server.requests).toHaveLength(1);
  });

  test("that never ends is an error", async () => {
    const { server, fetch, url } = await fetching();
    server.failAt("/files/", { status: 302, headers: { location: "/files/a.txt" } });
    expect(await catchError(fetch(url))).toMatchObject({ kind: "too-many-redirects" });
  });
});

test("a private address is not called, whatever its name", async () => {
  const lookup = async () => [{ address: "10.0.0.7", family: 4 }];
  const { server, fetch } = await fetching({ outgoing: { lookup } });
  const blocked = catchError(fetch("https://wiki.example.com/"));
  expect(await blocked).toMatchObject({ kind: "blocked-address", host: "wiki.example.com" });
  expect(await catchError(fetch(server.url))).toMatchObject({ kind: "blocked-address" });
  expect(server.requests).toEqual([]);
});

test("at most 16 MiB of endless JSON are read", { tags: "nightly" }, async () => {
  const { server, fetch, url } = await fetching();
  server.failNext("endless");
  const response = await fetch(url);
  expect(await catchError(response.json())).toMatchObject({ kind: "too-large" });
});

test("calls in progress end when the signal is aborted", async () => {
  const ended = new AbortController();
  const { server, fetch, url } = await fetching({ signal: ended.signal });
  server.failNext("hang");
  const failed = catchError(fetch(url));
  const reason = new Error("enough");
  ended.abort(reason);
  expect(await failed).toBe(reason);
});

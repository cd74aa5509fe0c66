import { expect, test, vi } from "vitest";
import { createClient, unwrapBody } from "./client.ts";
import { streamExecution } from "./execution-events.ts";
import { iterateItems } from "./pages.ts";
import { ProblemError } from "./problem-error.ts";
import { uploadFile } from "./upload-file.ts";

const problem = {
  type: "/problems/validation-failed",
  title: "Validation failed",
  status: 400,
  detail: "/name: is required",
  instance: "/v1/tenants",
  requestId: "request-1",
  errors: [{ pointer: "/name", detail: "is required" }],
};
const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers });

/** A client that gets the responses in order. */
const start = (responses: Response[], options: { renewed?: string } = {}) => {
  const requests: Request[] = [];
  const waits: number[] = [];
  const client = createClient({
    baseUrl: "https://api.example.com",
    credentials: () => ({ token: "first" }),
    ...(options.renewed !== undefined && { renew: async () => ({ token: options.renewed ?? "" }) }),
    fetch: async (request) => {
      requests.push(request);
      return responses.shift() ?? json(200, {});
    },
    retry: { random: () => 0, wait: async (milliseconds) => void waits.push(milliseconds) },
  });
  return { client, requests, waits };
};

test("a refused request throws its problem with pointers and request id", async () => {
  const { client } = start([json(400, problem)]);
  const error = await client
    .POST("/v1/tenants", { body: { slug: "a", displayName: "A" } })
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ProblemError);
  expect(error).toMatchObject({
    status: 400,
    slug: "validation-failed",
    title: "Validation failed",
    fields: [{ pointer: "/name", detail: "is required" }],
    requestId: "request-1",
  });
});

test("a failure that is no problem details keeps the start of its body", async () => {
  const { client } = start([new Response("<h1>Bad gateway</h1>", { status: 502 })]);
  await expect(client.GET("/v1/tenants")).rejects.toMatchObject({
    status: 502,
    slug: "unknown",
    detail: "<h1>Bad gateway</h1>",
  });
});

test("a 429 is repeated with its body after Retry-After", async () => {
  const { client, requests, waits } = start([
    json(429, problem, { "Retry-After": "7" }),
    json(201, {}),
  ]);
  await client.POST("/v1/tenants", { body: { slug: "a", displayName: "A" } });
  expect(waits).toEqual([7_000]);
  await expect(requests[1]?.json()).resolves.toEqual({ slug: "a", displayName: "A" });
});

test("a 503 is repeated only where that has no second effect", async () => {
  const busy = () => json(503, problem, { "Retry-After": "1" });
  const read = start([busy()]);
  await read.client.GET("/v1/tenants");
  expect(read.requests).toHaveLength(2);
  const write = start([busy()]);
  const body = { slug: "a", displayName: "A" };
  await expect(write.client.POST("/v1/tenants", { body })).rejects.toMatchObject({ status: 503 });
  expect(write.requests).toHaveLength(1);
});

test("an expired token is renewed once and the request repeated", async () => {
  const { client, requests } = start([json(401, problem), json(200, [])], { renewed: "second" });
  await expect(unwrapBody(client.GET("/v1/tenants"))).resolves.toEqual([]);
  expect(requests.map(({ headers }) => headers.get("authorization"))).toEqual([
    "Bearer first",
    "Bearer second",
  ]);
});

test("a list is read to its last page", async () => {
  const { client, requests } = start([
    json(200, { items: [{ id: "a" }, { id: "b" }], nextPageToken: "2" }),
    json(200, { items: [{ id: "c" }], nextPageToken: null }),
  ]);
  const ids: string[] = [];
  const path = "/v1/tenants/{tenant}/agents" as const;
  const read = (query: { PageSize: number; "PageToken.Skip": number }) =>
    unwrapBody(client.GET(path, { params: { path: { tenant: "demo" }, query } }));
  for await (const { id } of iterateItems(read, { pageSize: 2 })) ids.push(id);
  expect(ids).toEqual(["a", "b", "c"]);
  expect(requests.map(({ url }) => new URL(url).search)).toEqual([
    "?PageSize=2&PageToken.Skip=0",
    "?PageSize=2&PageToken.Skip=2",
  ]);
});

test("an execution's events are parsed across chunks, without comments", async () => {
  const text = [
    ': still here\n\nid: 1\nevent: step.started\ndata: {"stepId":"a","attempt":1}\n\n',
    'id: 2\nevent: output.delta\ndata: {"stepId":"a","text":"Grüße"}\r\n\r\n',
    'event: new.kind\ndata: {}\n\nevent: execution.failed\ndata: {"status":502}\n\n',
  ].join("");
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (let at = 0; at < bytes.length; at += 5) controller.enqueue(bytes.slice(at, at + 5));
      controller.close();
    },
  });
  const { client, requests } = start([new Response(body)]);
  const events = [];
  const execution = { tenant: "demo", agent: "hello", body: { input: {} } };
  for await (const event of streamExecution(client, execution)) events.push(event);
  expect(events).toEqual([
    { type: "step.started", stepId: "a", attempt: 1 },
    { type: "output.delta", stepId: "a", text: "Grüße" },
    { type: "execution.failed", problem: { status: 502 } },
  ]);
  expect(requests[0]?.url).toBe("https://api.example.com/v1/tenants/demo/agents/hello:execute");
  expect(requests[0]?.headers.get("accept")).toBe("text/event-stream");
});

test("a small file is stored in one request, and a larger one at a URL of the storage", async () => {
  const stored = { id: "file-1", name: "a.txt" };
  const target = { ...stored, uploadUrl: "https://storage.example.com/a", headers: { "X-A": "b" } };
  const { client, requests } = start([
    json(201, stored),
    json(201, target),
    json(200, stored),
    json(201, target),
  ]);
  const sent: unknown[] = [];
  const statuses = [200, 403];
  vi.stubGlobal("fetch", async (url: string, { method, headers, body }: RequestInit) => {
    sent.push([method, url, headers, body instanceof Blob && body.size]);
    return new Response("", { status: statuses.shift() ?? 500 });
  });
  const file = { tenant: "demo", name: "a.txt", retentionDays: 1 };
  const large = new Blob([new Uint8Array(4 * 1_024 * 1_024 + 1)], { type: "text/plain" });
  await expect(uploadFile(client, { ...file, content: new Blob(["a"]) })).resolves.toEqual(stored);
  await expect(uploadFile(client, { ...file, content: large })).resolves.toEqual(stored);
  await expect(uploadFile(client, { ...file, content: large })).rejects.toThrow(
    "The storage refused the file (403).",
  );
  const base = "https://api.example.com/v1/tenants/demo/files";
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    `POST ${base}?name=a.txt&retentionDays=1`,
    `POST ${base}:upload`,
    `POST ${base}/file-1:complete`,
    `POST ${base}:upload`,
  ]);
  await expect(requests[0]?.text()).resolves.toBe("a");
  await expect(requests[1]?.json()).resolves.toEqual({
    name: "a.txt",
    mediaType: "text/plain",
    bytes: large.size,
    retentionDays: 1,
  });
  const put = ["PUT", target.uploadUrl, target.headers, large.size];
  expect(sent).toEqual([put, put]);
});

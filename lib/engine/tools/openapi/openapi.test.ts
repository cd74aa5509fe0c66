import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testProcessor } from "../../../../test/harness/processor.ts";
import { sampleCases } from "../../../../test/harness/runs.ts";
import { startToolApi } from "../../../../test/harness/tool-api.ts";
import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import type { IntegrationContext } from "../integration.ts";
import { ToolError } from "../tool.ts";
import { openapiIntegration } from "./index.ts";

const processor = testProcessor();

const signal = new AbortController().signal;
const context: IntegrationContext = {
  outgoing: { allowPrivateAddresses: true },
  clock: Date.now,
  processor,
  signal,
};
const traceContext = {
  traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  tracestate: "vendor=1",
};
const loadFixture = (name: string): string =>
  readFileSync(
    new URL(`../../../../test/harness/openapi-documents/${name}`, import.meta.url),
    "utf8",
  );
const petstore = loadFixture("petstore.yaml");
const payments = loadFixture("payments.json");
const repositories = loadFixture("repositories.json");

let api: Awaited<ReturnType<typeof startToolApi>>;
beforeAll(async () => {
  api = await startToolApi();
});
beforeEach(() => {
  api.requests.length = 0;
});
afterAll(() => api.close());

type Config = { document?: unknown; auth?: Record<string, string>; [name: string]: unknown };
const loadTools = ({ auth = {}, ...parameters }: Config) =>
  openapiIntegration.tools({ parameters, auth }, context);
const requireTool = async (config: Config, id: string) => {
  const tool = (await loadTools(config)).find(({ descriptor }) => descriptor.id === id);
  if (!tool) throw new Error(`no tool ${id}`);
  return tool;
};
/** Runs a tool against the stand-in and returns the request that it received. */
const call = async (config: Config, id: string, parameters: Record<string, string> = {}) => {
  const tool = await requireTool({ baseUrl: api.url, ...config }, id);
  await tool.run(parameters, { clock: Date.now, signal, processor, traceContext });
  const request = api.requests.at(-1);
  if (!request) throw new Error("nothing was sent");
  return request;
};
const minimal = (operation: object, more: object = {}) =>
  JSON.stringify({
    openapi: "3.1.0",
    servers: [{ url: api.url }],
    paths: { "/things/{id}": { get: { operationId: "getThing", ...operation } } },
    ...more,
  });

describe("the tools of a document", () => {
  test("are its operations, named by their ids without duplicates", {
    tags: "nightly",
  }, async () => {
    const ids = (await loadTools({ document: petstore })).map(({ descriptor }) => descriptor.id);
    expect(ids).toEqual(["listPets", "createPet", "getPet", "put_pets_petId", "getPet_2", "login"]);
  });

  test("leave out operations with an unsupported body, such as a multipart form", async () => {
    const names = (await loadTools({ document: petstore })).map(({ descriptor }) => descriptor.id);
    expect(names).not.toContain("uploadPhoto");
  });

  test("describe their parameters by the document's schemas", async () => {
    const { descriptor } = await requireTool({ document: petstore }, "createPet");
    expect(descriptor).toMatchObject({ actionType: "ReadWrite", displayName: "Create a pet" });
    expect(descriptor.parametersMetadata).toMatchObject([
      { name: "trace", type: "String", required: false },
      { name: "name", type: "String", required: true },
      { name: "age", type: "Integer" },
      { name: "vaccinated", type: "Boolean" },
      { name: "status", type: "Option", options: ["available", "pending", "sold"] },
      { name: "friends", type: "Json", jsonSchema: expect.stringContaining("available") },
    ]);
    const list = await requireTool({ document: petstore }, "listPets");
    expect(list.descriptor).toMatchObject({ actionType: "ReadOnly" });
    expect(list.descriptor.parametersMetadata[1]).toMatchObject({
      type: "Integer",
      integerRange: { min: 1, max: 100 },
      description: "How many at most. Format: int32.",
    });
  });

  test("a schema in a circle or from elsewhere is cut off, not followed", async () => {
    const { descriptor } = await requireTool({ document: repositories }, "gists_update");
    const schema = descriptor.parametersMetadata[1]?.jsonSchema ?? "";
    expect(JSON.parse(schema).oneOf[1].items.properties).toEqual({
      text: { type: "string" },
      replies: { type: "array", items: {} },
      again: {},
      elsewhere: {},
    });
  });

  test("send the trace context of their caller only if the config allows it", async () => {
    const config = { document: petstore };
    expect((await call(config, "listPets")).headers).not.toHaveProperty("traceparent");
    for (const sendTraceContext of ["true", true]) {
      const { headers } = await call({ ...config, sendTraceContext }, "listPets");
      expect(headers).toMatchObject(traceContext);
    }
    await expect(loadTools({ ...config, sendTraceContext: "yes" })).rejects.toThrow(
      'The config\'s "sendTraceContext" must be true or false.',
    );
  });

  test.each([
    ["issues/create", ["issues_create"]],
    ["POST /repos/*", ["issues_create"]],
    ["tag:repos, gists_update", ["repos_get-content", "gists_update"]],
  ])("can be filtered by %s", async (operations, expected) => {
    const tools = await loadTools({ document: repositories, operations });
    expect(tools.map(({ descriptor }) => descriptor.id)).toEqual(expected);
  });

  test.each([
    [{}, "needs either"],
    [{ document: 3 }, '"document" must be'],
    [{ document: "[1]" }, "must be an object"],
    [{ document: "a: [" }, "neither JSON nor YAML (line 1)"],
    [{ document: '{"swagger":"2.0"}' }, "Swagger 2.0"],
    [{ document: '{"openapi":"4.0.0"}' }, "OpenAPI 4.0.0; only 3.0 and 3.1"],
    [{ document: '{"a":1}' }, 'no "openapi" version'],
    [{ document: "openapi: 3.1.0\npaths: &a\n  /x: *a\n" }, "refers to itself"],
    [{ document: '{"openapi":"3.0.0"}', operations: ["x"] }, "No operation"],
    [{ document: '{"openapi":"3.0.0"}', baseUrl: "ftp://x" }, '"baseUrl" must be a URL'],
    [{ document: '{"openapi":"3.0.0"}', baseUrl: "https://u:p@x.example" }, '"baseUrl" must'],
  ])("a config %j is refused with a reason", async (parameters, detail) => {
    const refusal = openapiIntegration.tools({ parameters, auth: {} }, context);
    await expect(refusal).rejects.toThrow(ToolError);
    await expect(refusal).rejects.toThrow(detail);
  });

  test("a document of aliases that expand without end is refused", async () => {
    const lines = Array.from({ length: 30 }, (_, at) => {
      const before =
        at === 0
          ? "x"
          : Array(10)
              .fill(`*a${at - 1}`)
              .join(", ");
      return `a${at}: &a${at} [${before}]`;
    });
    await expect(loadTools({ document: ["openapi: 3.0.0", ...lines].join("\n") })).rejects.toThrow(
      ToolError,
    );
  });

  test("a document of more than 100 aliases is refused before they are resolved", {
    tags: "nightly",
  }, async () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `a${at}: &a${at} [*a${at - 1}]`);
    const document = ["openapi: 3.0.0", "a-1: &a-1 1", ...lines].join("\n");
    await expect(loadTools({ document })).rejects.toThrow("more than 100 YAML aliases");
  });

  test("a document of many errors is refused for the first", { tags: "nightly" }, async () => {
    const document = `openapi: 3.0.0\na: [${",".repeat(50_000)}]`;
    await expect(loadTools({ document })).rejects.toThrow("neither JSON nor YAML (line 2)");
  });

  test("parsing is linear in a document's length", { tags: "nightly" }, async () => {
    const measureWork = async (paths: number) => {
      const budget = testProcessor(60_000);
      const get = { parameters: [{ name: "q", in: "query" }], requestBody: { content: {} } };
      const entries = Array.from({ length: paths }, (_, at) => [
        `/p${`${at}`.padStart(6, "0")}`,
        { get, post: get },
      ]);
      const document = { openapi: "3.0.0", paths: Object.fromEntries(entries) };
      const config = { parameters: { document }, auth: {} };
      await openapiIntegration.tools(config, { ...context, processor: budget });
      return budget.usedMs;
    };
    const small = await measureWork(200);
    expect(small).toBeGreaterThan(0);
    expect((await measureWork(2_000)) / small).toBeCloseTo(10, 1);
  });

  const operation = (name: string, count: number, get: object) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`/${name}${at}`, { get }]));
  const wide = (count: number, member: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, member]));
  const oversized: [string, string | object, string][] = [
    [
      "lists nested 100,000 deep",
      `{"openapi":"3.0.0","x":${"[".repeat(1e5)}${"]".repeat(1e5)}}`,
      "deeper than 200 levels",
    ],
    ["10,000 operations", { paths: operation("p", 10_000, {}) }, "more than 5000 operations"],
    [
      "as many security alternatives for each operation",
      { paths: operation("p", 5_000, {}), security: Array(10_000).fill({ none: [] }) },
      "exceeds the limit of processor time",
    ],
    [
      "a fan of references to paths and parameters",
      {
        paths: Object.fromEntries(
          Array.from({ length: 1_000 }, (_, at) => [`/p${at}`, { $ref: "#/x/item" }]),
        ),
        x: {
          item: { parameters: Array(400).fill({ $ref: "#/x/parameter" }), get: {} },
          parameter: { name: "q", in: "query", ...wide(100, 0) },
        },
      },
      "exceeds the limit of processor time",
    ],
    [
      "an explosion of allOf",
      {
        paths: Object.fromEntries(
          Array.from({ length: 1_000 }, (_, at) => [
            `/p${at}`,
            {
              post: {
                requestBody: { content: { "application/json": { schema: { $ref: "#/x/all" } } } },
              },
            },
          ]),
        ),
        x: {
          all: { allOf: Array(40).fill({ $ref: "#/x/wide" }) },
          wide: { properties: wide(500, {}) },
        },
      },
      "exceeds the limit of processor time",
    ],
  ];

  test.each(sampleCases(oversized, 3))(
    "a document with %s is refused with its limit",
    { tags: "nightly" },
    async (_name, document, detail) => {
      const given = typeof document === "string" ? document : { openapi: "3.0.0", ...document };
      const refusal = loadTools({ document: given });
      await expect(refusal).rejects.toThrow(ToolError);
      await expect(refusal).rejects.toThrow(detail);
    },
  );

  test("an operation of more than 500 parameters or 2,000 characters of path is no tool", async () => {
    const parameters = Array.from({ length: 501 }, (_, at) => ({ name: `p${at}`, in: "query" }));
    const paths = {
      "/many": { get: { parameters } },
      [`/${"x".repeat(2_000)}`]: { get: {} },
      "/few": { get: { operationId: "few", parameters: parameters.slice(0, 500) } },
    };
    const tools = await loadTools({ document: { openapi: "3.0.0", paths } });
    expect(tools.map(({ descriptor }) => descriptor.id)).toEqual(["few"]);
  });

  test("the schemas of a config's parameters have at most 20 million characters in all", {
    tags: "nightly",
  }, async () => {
    const choices = Array.from({ length: 100 }, (_, at) => `${at}`.padEnd(150, "x"));
    const parameters = Array.from({ length: 20 }, (_, at) => ({
      name: `p${at}`,
      in: "query",
      schema: { $ref: "#/x/large" },
    }));
    const document = {
      openapi: "3.0.0",
      paths: operation("p", 50, { parameters }),
      x: { large: { type: "object", properties: wide(40, { enum: choices }) } },
    };
    const schemas = (await loadTools({ document })).flatMap(({ descriptor }) =>
      descriptor.parametersMetadata.map(({ jsonSchema }) => jsonSchema ?? null),
    );
    expect(schemas).toHaveLength(1_000);
    expect(schemas[0]).toContain("xxx");
    expect(schemas.at(-1)).toBeNull();
    const characters = schemas.reduce((sum, schema) => sum + (schema?.length ?? 0), 0);
    expect(characters).toBeLessThan(21_000_000);
  });

  test("a document is read from its URL, with nothing of the config's credentials", async () => {
    api.script({ body: petstore, headers: { "content-type": "application/yaml" } });
    const tools = await loadTools({
      documentUrl: `${api.url}/api.yaml`,
      auth: { token: "s3cret" },
    });
    expect(tools).toHaveLength(6);
    expect(JSON.stringify(api.requests)).not.toContain("s3cret");
  });

  test("a document that can't be had is the upstream's failure", async () => {
    api.script({ status: 404 });
    await expect(loadTools({ documentUrl: `${api.url}/none` })).rejects.toThrow(UpstreamError);
  });
});

describe("a request", () => {
  test("has query parameters in all of their styles", async () => {
    const { path, headers } = await call({ document: petstore }, "listPets", {
      limit: "5",
      status: '["available","sold"]',
      tags: "a b,c&d",
      filter: '{"age":{"gt":3},"names":["x","y"]}',
      near: '{"lat":1.5}',
      trace: "t-1",
    });
    expect(path).toBe(
      "/pets?limit=5&status=available&status=sold&tags=a%20b,c%26d" +
        "&filter%5Bage%5D%5Bgt%5D=3&filter%5Bnames%5D%5B%5D=x&filter%5Bnames%5D%5B%5D=y" +
        "&near=%7B%22lat%22%3A1.5%7D",
    );
    expect(headers.trace).toBe("t-1");
  });

  test("has a JSON body with its properties in their types", async () => {
    const { method, body, headers } = await call({ document: petstore }, "createPet", {
      name: "12",
      age: "3",
      vaccinated: "true",
      friends: '[{"name":"Rex"}]',
    });
    expect(method).toBe("POST");
    expect(headers["content-type"]).toBe("application/json");
    expect(JSON.parse(body)).toEqual({
      name: "12",
      age: 3,
      vaccinated: true,
      friends: [{ name: "Rex" }],
    });
  });

  test("carries a form as Stripe reads one", async () => {
    const { body, headers } = await call({ document: payments }, "PostCharges", {
      amount: "2000",
      currency: "eur",
      expand: "customer,invoice",
      metadata: '{"order":"6735"}',
      shipping: '{"name":"J & Co","address":{"city":"Bonn"}}',
    });
    expect(headers["content-type"]).toBe("application/x-www-form-urlencoded");
    expect([...new URLSearchParams(body)]).toEqual([
      ["amount", "2000"],
      ["currency", "eur"],
      ["expand[]", "customer"],
      ["expand[]", "invoice"],
      ["metadata[order]", "6735"],
      ["shipping[name]", "J & Co"],
      ["shipping[address][city]", "Bonn"],
    ]);
    expect((await call({ document: payments }, "GetCharges", { created: '{"gt":5}' })).path).toBe(
      "/v1/charges?created%5Bgt%5D=5",
    );
    expect((await call({ document: payments }, "GetCharges", { created: "7" })).path).toBe(
      "/v1/charges?created=7",
    );
  });

  test("sends text as it is, and distinguishes properties from parameters of the same name", async () => {
    const markdown = await call({ document: repositories }, "markdown_render-raw", {
      body: "# Hi",
    });
    expect(markdown.body).toBe("# Hi");
    const issue = await call({ document: repositories }, "issues_create", {
      owner: "a/b",
      repo: "c",
      title: "true",
      owner_body: "me",
    });
    expect(issue.path).toBe("/repos/a%2Fb/c/issues");
    expect(JSON.parse(issue.body)).toEqual({ title: "true", owner: "me" });
  });

  test.each([
    [{ petId: ".." }, "must not be . or .."],
    [{ petId: "" }, "must not be empty"],
    [{}, '"petId" is required'],
  ])("with the path's variable %j is refused", async (parameters, detail) => {
    const tool = await requireTool({ document: petstore, baseUrl: api.url }, "getPet");
    const run = tool.run(parameters, { clock: Date.now, signal, processor });
    await expect(run).rejects.toThrow(detail);
    expect(api.requests).toEqual([]);
  });

  test.each([
    ["limit", "many", "a whole number"],
    ["filter", "[1]", "a JSON object"],
    ["trace", "a\nb", "characters that are not allowed in headers"],
  ])("with a wrong %s is refused and names it", async (name, value, detail) => {
    const tool = await requireTool({ document: petstore, baseUrl: api.url }, "listPets");
    const run = tool.run({ [name]: value }, { clock: Date.now, signal, processor });
    await expect(run).rejects.toThrow(ToolError);
    await expect(run).rejects.toThrow(detail);
  });
});

describe("credentials", () => {
  test.each([
    ["createPet", { apiKey: "k" }, { "x-api-key": "k" }],
    ["createPet", { key: "own", apiKey: "k" }, { "x-api-key": "own" }],
    ["createPet", { token: "t" }, { authorization: "Bearer t" }],
    ["login", { username: "u", password: "p" }, { authorization: "Basic dTpw" }],
  ])("%s with %j sends %j", async (id, auth, headers) => {
    const request = await call({ document: petstore, auth }, id, { name: "x" });
    expect(request.headers).toMatchObject(headers);
  });

  test("are not sent where an operation wants none, or other ones", async () => {
    const auth = { apiKey: "s3cret", token: "s3cret" };
    await call({ document: petstore, auth }, "listPets");
    await call({ document: petstore, auth }, "login");
    expect(JSON.stringify(api.requests)).not.toContain("s3cret");
  });

  test("are a bearer token if the document declares no scheme", async () => {
    const request = await call({ document: repositories, auth: { token: "t" } }, "gists_update", {
      gist_id: "1",
      body: "{}",
    });
    expect(request.headers.authorization).toBe("Bearer t");
  });

  test("go into the query where the scheme is there, and are no parameter then", async () => {
    const document = minimal(
      { security: [{ q: [] }], parameters: [{ name: "api_key", in: "query" }] },
      { components: { securitySchemes: { q: { type: "apiKey", in: "query", name: "api_key" } } } },
    );
    const config = { document, auth: { q: "a&b" } };
    expect((await call(config, "getThing", { id: "1" })).path).toBe("/things/1?api_key=a%26b");
    const { descriptor } = await requireTool(config, "getThing");
    expect(descriptor.parametersMetadata.map(({ name }) => name)).toEqual(["id"]);
  });

  test("never go to a server that the document alone names", async () => {
    const tool = await requireTool(
      { document: minimal({}), auth: { token: "s3cret" } },
      "getThing",
    );
    await expect(tool.run({ id: "1" }, { clock: Date.now, signal, processor })).rejects.toThrow(
      '"baseUrl"',
    );
    const free = await requireTool({ document: minimal({}) }, "getThing");
    expect(await free.run({ id: "1" }, { clock: Date.now, signal, processor })).toEqual({
      ok: true,
    });
    expect(JSON.stringify(api.requests)).not.toContain("s3cret");
  });

  test.each([
    ["dots", "/../admin"],
    ["backslashes", "/x\\..\\..\\admin"],
    ["dots that a tab hides", "/.\t./admin"],
    ["dots that a line break hides", "/.\n./admin"],
    ["encoded dots", "/x/%2e%2E/.%2e/admin"],
    ["an encoded slash after dots", "/..%2fadmin"],
    ["an encoded backslash after dots", "/%2e%2e%5cadmin"],
    ["another host", "//\t@attacker.example/../../admin"],
  ])("never leave the base path by a document's path with %s", async (_, path) => {
    const document = JSON.stringify({
      openapi: "3.1.0",
      paths: { [path]: { get: { operationId: "escape" } } },
    });
    const config = { document, baseUrl: `${api.url}/tenants/one`, auth: { token: "s3cret" } };
    const tool = await requireTool(config, "escape");
    await tool.run({}, { clock: Date.now, signal, processor }).catch((error: unknown) => {
      expect(error).toBeInstanceOf(ToolError);
    });
    for (const { path: sent } of api.requests) {
      expect(sent).toMatch(/^\/tenants\/one\/(?!.*\.\.)/);
    }
  });

  test("do not follow a redirect to another origin", async () => {
    const other = await startToolApi();
    try {
      api.script({ status: 302, headers: { location: `${other.url}/there` } });
      await call({ document: petstore, auth: { apiKey: "s3cret" } }, "getPet", { petId: "1" });
      expect(other.requests).toHaveLength(1);
      expect(JSON.stringify(other.requests)).not.toContain("s3cret");
    } finally {
      await other.close();
    }
  });
});

describe("a response", () => {
  const read = async (config: Config = {}) => {
    const tool = await requireTool({ document: petstore, baseUrl: api.url, ...config }, "getPet");
    return tool.run(
      { petId: "1" },
      {
        clock: Date.now,
        signal: config.signal instanceof AbortSignal ? config.signal : signal,
        processor,
      },
    );
  };

  test.each([
    [{ body: '{"a":[1]}' }, { a: [1] }],
    [{ body: "[1]", headers: { "content-type": "application/problem+json; charset=utf-8" } }, [1]],
    [{ body: "plain 1", headers: { "content-type": "text/plain" } }, "plain 1"],
    [{ status: 204, body: "" }, null],
    [
      { body: new Uint8Array([0, 255]), headers: { "content-type": "image/png" } },
      { contentType: "image/png", bytes: 2, base64: "AP8=" },
    ],
  ])("%j is read as %j", async (response, expected) => {
    api.script(response);
    expect(await read()).toEqual(expected);
  });

  test.each([401, 404, 429, 500])(
    "of status %d is a failure without further details",
    async (status) => {
      api.script({ status, body: '{"error":"s3cret"}' });
      await expect(read()).rejects.toMatchObject({
        name: "UpstreamError",
        upstreamStatus: status,
        message: expect.not.stringContaining("s3cret"),
      });
    },
  );

  test("that is broken JSON, too large or too deep is a failure", async () => {
    api.script({ body: '{"a":' });
    await expect(read()).rejects.toThrow("broken JSON");
    api.script({ body: JSON.stringify("x".repeat(1_100_000)) });
    await expect(read()).rejects.toThrow("more than 1048576 bytes");
    api.script({ body: "[".repeat(150) + "]".repeat(150) });
    await expect(read()).rejects.toThrow("nested deeper");
  });

  test("that redirects to a private address is not followed", async () => {
    const outgoing = { lookup: async () => [{ address: "10.0.0.1", family: 4 }] };
    const config = { parameters: { document: petstore }, auth: {} };
    const tools = await openapiIntegration.tools(config, { ...context, outgoing });
    const run = tools[2]?.run({ petId: "1" }, { clock: Date.now, signal, processor });
    await expect(run).rejects.toThrow("not a public address");
  });

  test("that never arrives ends with the caller's signal", async () => {
    api.script("hang");
    const stop = new AbortController();
    const reading = read({ signal: stop.signal });
    await expect.poll(() => api.requests.length).toBe(1);
    stop.abort(new Error("enough"));
    await expect(reading).rejects.toThrow("enough");
  });
});

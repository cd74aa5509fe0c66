import { once } from "node:events";
import { createServer } from "node:http";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testProcessor } from "../../../../test/harness/processor.ts";
import type { IntegrationContext } from "../integration.ts";
import { ToolError } from "../tool.ts";
import { openapiIntegration } from "./index.ts";
import { encode, toPairs, toSimple } from "./serialize.ts";

const processor = testProcessor();

const signal = new AbortController().signal;
const context: IntegrationContext = {
  outgoing: { allowPrivateAddresses: true },
  clock: Date.now,
  processor,
  signal,
};

const words = fc.constantFrom(
  ...["get", "post", "parameters", "requestBody", "content", "application/json", "schema", "$ref"],
  ...["type", "properties", "items", "allOf", "anyOf", "required", "name", "in", "style", "enum"],
  ...["security", "servers", "url", "x", "__proto__", "constructor", "operationId", "nullable"],
);
const texts = fc.constantFrom(
  ...["query", "path", "header", "cookie", "object", "array", "string", "integer", "deepObject"],
  ...["#/components/schemas/a", "#/components/schemas/b", "#/paths", "#", "#/x", "https://e.com/s"],
  ...["id", "", "%%", "a b", "../x", "\ud800"],
);
const node = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    texts,
    fc.constantFrom(null, true, false, 0, 3),
    fc.array(tie("any"), { maxLength: 4 }),
    fc.dictionary(words, tie("any"), { maxKeys: 6 }),
  ),
})).any;
const operation = fc.record(
  {
    operationId: texts,
    parameters: fc.array(
      fc.oneof(
        node,
        fc.record({ name: texts, in: texts, required: fc.boolean(), style: texts, schema: node }),
      ),
      { maxLength: 5 },
    ),
    requestBody: fc.oneof(
      node,
      fc.record({
        required: fc.boolean(),
        content: fc.dictionary(
          fc.constantFrom("application/json", "application/x-www-form-urlencoded", "text/plain"),
          fc.record({ schema: node }),
        ),
      }),
    ),
    security: node,
    servers: node,
  },
  { requiredKeys: [] },
);
const openapiDocument = fc.record(
  {
    openapi: fc.constantFrom("3.0.0", "3.1.0"),
    paths: fc.oneof(
      node,
      fc.dictionary(
        fc.constantFrom("/a", "/a/{id}", "/{x}/..", "/q?x={x}", "no"),
        fc.dictionary(
          fc.constantFrom("get", "post", "parameters", "$ref"),
          fc.oneof(operation, node),
        ),
      ),
    ),
    security: node,
    components: fc.record(
      { schemas: fc.record({ a: node, b: node }), securitySchemes: node },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ["openapi"] },
);

describe("for any document", () => {
  let base = "";
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "application/json" }).end("1");
  });
  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address !== null && typeof address !== "string") base = `http://127.0.0.1:${address.port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test("its tools are described, and run or refuse, or it is refused as a whole", {
    tags: "nightly",
  }, async () => {
    await fc.assert(
      fc.asyncProperty(openapiDocument, texts, async (document, text) => {
        const config = {
          parameters: { document: JSON.stringify(document), baseUrl: base },
          auth: {},
        };
        const tools = await openapiIntegration.tools(config, context).catch(expectToolError);
        for (const tool of tools ?? []) {
          const { id, parametersMetadata } = tool.descriptor;
          expect(id).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/);
          const names = parametersMetadata.map(({ name }) => name);
          expect(new Set(names).size).toBe(names.length);
          for (const name of names) expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/);
          const given = Object.fromEntries(names.map((name) => [name, text]));
          await tool.run(given, { clock: Date.now, signal, processor }).catch(expectToolError);
        }
      }),
      { numRuns: 150 },
    );
  });

  test("any text at all is read or refused", { tags: "nightly" }, async () => {
    const text = fc.oneof(
      fc.string(),
      fc.string().map((more) => `openapi: 3.1.0\n${more}`),
      fc.json(),
    );
    await fc.assert(
      fc.asyncProperty(text, async (document) => {
        await openapiIntegration
          .tools({ parameters: { document }, auth: {} }, context)
          .catch(expectToolError);
      }),
    );
  });
});

const expectToolError = (error: unknown): undefined => {
  expect(error).toBeInstanceOf(ToolError);
};

describe("values in a URL", () => {
  const anyText = fc.string({ unit: "grapheme" });
  const asQuery = { style: "form", explode: true, isJson: false };

  test("are decoded from a path unchanged, as one segment", () => {
    fc.assert(
      fc.property(anyText, (value) => {
        const { pathname } = new URL(`https://x.example/a/${toSimple(value, asQuery)}_/b`);
        const segments = pathname.split("/");
        expect(segments).toHaveLength(4);
        expect(decodeURIComponent(segments[2] ?? "")).toBe(`${value}_`);
      }),
    );
  });

  test("are decoded from a query or a form unchanged", () => {
    fc.assert(
      fc.property(anyText, fc.array(anyText), (name, values) => {
        const pairs = toPairs(name, values, asQuery).join("&");
        expect([...new URLSearchParams(pairs)]).toEqual(values.map((value) => [name, value]));
      }),
    );
  });

  test("is never more than letters, digits, -, _, ., ~ and %", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(encode(text)).toMatch(/^[A-Za-z0-9_.~%-]*$/);
      }),
    );
  });
});

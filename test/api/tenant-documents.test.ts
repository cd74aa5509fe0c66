import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { expectProblem, newOrganization } from "../harness/api.ts";

const megabyte = 1_000_000;

describe("text written by a tenant", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;

  beforeAll(async () => {
    own = await newOrganization();
  });

  test("a catastrophic pattern of an input's schema is refused with its pointer, and other calls continue", {
    tags: "nightly",
  }, async () => {
    const metadata = (pattern: string) => [
      { name: "x", type: "String", jsonSchema: JSON.stringify({ pattern }) },
    ];
    const flow = { steps: [{ id: "out", type: "Output", value: "{% input.x %}" }], edges: [] };
    await own.deployAgent("slow", { parametersMetadata: metadata("^(a+)+$"), flow });
    await own.deployAgent("quick", { parametersMetadata: metadata("^a+b$"), flow });
    const body = { input: { x: `${"a".repeat(40)}b` } };
    const [slow, quick] = await Promise.all([
      own.try("POST", "/agents/slow:execute", { body }),
      own.try("POST", "/agents/quick:execute", { body }),
    ]);
    expect(expectProblem(slow)).toMatchObject({
      errors: [{ pointer: "/input/x", detail: expect.stringContaining("takes too long") }],
    });
    expect(quick.status).toBe(200);
  });

  const Created = z.looseObject({ id: z.string() });
  const shared = {
    parameters: Array(400).fill({ $ref: "#/x/parameter" }),
    get: {},
  };
  const members = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`m${at}`, 0]));
  test.each([
    [
      "references",
      {
        paths: Object.fromEntries(
          Array.from({ length: 1_000 }, (_, at) => [`/p${at}`, { $ref: "#/x/item" }]),
        ),
        x: { item: shared, parameter: { name: "q", in: "query", ...members } },
      },
      "exceeds the limit of processor time",
    ],
    [
      "operations",
      {
        paths: Object.fromEntries(
          Array.from({ length: 800 }, (_, at) => [`/p${at}`, { $ref: "#/x/item" }]),
        ),
        x: {
          item: { get: {}, put: {}, post: {}, delete: {}, options: {}, head: {}, patch: {} },
        },
      },
      "more than 5000 operations",
    ],
  ])(
    "too many %s of an OpenAPI document are refused with the limit",
    { tags: "nightly" },
    async (_name, document, detail) => {
      const parameters = { document: JSON.stringify({ openapi: "3.1.0", ...document }) };
      const body = { integrationId: "openapi", parameters };
      const { id } = Created.parse((await own.send("POST", "/integration-configs", body)).body);
      await own.send("POST", `/integration-configs/${id}:publish`);
      const response = await own.try("GET", `/integrations/openapi/tools?configId=${id}`);
      expect(response.status).toBe(422);
      expect(expectProblem(response).detail).toContain(detail);
    },
  );

  test.each([["markdown", `# A\n\n${"a **".repeat(megabyte / 8)}`]])(
    "hostile %s of a skill gets a problem or a draft",
    { tags: "nightly" },
    async (_name, markdown) => {
      const path = "/skills:generate-from-markdown";
      const body = { markdownContent: markdown, fileName: "SKILL.md" };
      const response = await own.try("POST", path, { body });
      expect([200, 400]).toContain(response.status);
      if (response.status === 400) {
        expect(expectProblem(response)).toMatchObject({
          errors: [
            {
              pointer: "/markdownContent",
              detail: expect.stringMatching(/needs more .* than it may|nests too deeply/),
            },
          ],
        });
      }
      const plain = { markdownContent: "# A\n\nB", fileName: "a.md" };
      expect((await own.try("POST", path, { body: plain })).status).toBe(200);
    },
  );
});

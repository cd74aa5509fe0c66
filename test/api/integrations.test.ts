import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { expectProblem, newOrganization } from "../harness/api.ts";

const Created = z.looseObject({ id: z.string() });
const Tools = z.looseObject({
  items: z.array(z.looseObject({ id: z.string() })),
  nextPageToken: z.string().nullable(),
});
const document = JSON.stringify({
  openapi: "3.1.0",
  servers: [{ url: "https://api.example.com" }],
  paths: {
    "/pets": {
      get: {
        operationId: "listPets",
        parameters: [{ name: "limit", in: "query", schema: { type: "integer" } }],
      },
      post: { operationId: "createPet" },
    },
    "/pets/{id}": { get: { operationId: "getPet" } },
  },
});

describe("integrations", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;
  beforeAll(async () => {
    own = await newOrganization();
  });

  const createConfig = async (body: object, isPublished = true) => {
    const { id } = Created.parse((await own.send("POST", "/integration-configs", body)).body);
    if (isPublished) await own.send("POST", `/integration-configs/${id}:publish`);
    return id;
  };
  const run = (tool: string, body: unknown) =>
    own.try("POST", `/integrations/${tool}:run`, { body });

  test("the catalog lists their parameters and marks credentials", async () => {
    const { body } = await own.send("GET", "/integrations");
    expect(body).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: "system", needsConfig: false, parameters: [] }),
        expect.objectContaining({ id: "openapi", needsConfig: true, hasTools: true }),
        expect.objectContaining({ id: "mcp", needsConfig: true, hasTools: true }),
        expect.objectContaining({ id: "github", needsConfig: true, hasTools: false }),
      ]),
    );
    const openapi = z
      .array(z.looseObject({ id: z.string(), parameters: z.array(z.unknown()) }))
      .parse(body)
      .find(({ id }) => id === "openapi");
    expect(openapi?.parameters).toContainEqual(
      expect.objectContaining({ name: "token", secret: true }),
    );
  });

  test("the built-in tools are listed page by page, in the members of a sub-agent's tool", async () => {
    const first = Tools.parse(
      (await own.send("GET", "/integrations/system/tools?PageSize=2")).body,
    );
    expect(first.items).toMatchObject([
      {
        id: "current_time",
        slug: "current_time",
        integrationId: "system",
        agentId: null,
        toolType: "Integration",
        actionType: "ReadOnly",
        authSettings: { supportsOAuth: false, oAuth: [] },
        parametersMetadata: [{ name: "timezone", type: "String" }],
      },
      { id: "calculate" },
    ]);
    expect(first.nextPageToken).toBe("2");
    const rest = await own.send("GET", "/integrations/system/tools?PageToken.Skip=2");
    expect(Tools.parse(rest.body)).toMatchObject({
      items: [{ id: "json_query" }, { id: "http_get" }, { id: "http_request" }],
      nextPageToken: null,
    });
  });

  test("the tools of a document are listed by its published config", async () => {
    const configId = await createConfig({ integrationId: "openapi", parameters: { document } });
    const listed = await own.send("GET", `/integrations/openapi/tools?configId=${configId}`);
    expect(Tools.parse(listed.body).items).toMatchObject([
      { id: "listPets", actionType: "ReadOnly", parametersMetadata: [{ type: "Integer" }] },
      { id: "createPet", actionType: "ReadWrite" },
      { id: "getPet", parametersMetadata: [{ name: "id", required: true }] },
    ]);
  });

  test.each([
    ["openapi/tools", 400, "query/configId"],
    ["system/tools?configId=0193f0a0-7c4b-7000-8000-000000000000", 400, "query/configId"],
    ["openapi/tools?configId=0193f0a0-7c4b-7000-8000-000000000000", 404, undefined],
    ["github/tools", 404, undefined],
    ["nothing/tools", 404, undefined],
  ])("GET %s is %d", async (path, status, pointer) => {
    const problem = expectProblem(await own.try("GET", `/integrations/${path}`));
    expect(problem.status).toBe(status);
    if (pointer) expect(problem).toMatchObject({ errors: [{ pointer }] });
  });

  test("an unpublished config, one of another integration and a wrong one are refused", async () => {
    const unpublished = await createConfig(
      { integrationId: "openapi", parameters: { document: "{}" } },
      false,
    );
    const other = await createConfig({ integrationId: "github" });
    const wrong = await createConfig({ integrationId: "openapi", parameters: { document: "{}" } });
    const list = async (configId: string) =>
      expectProblem(await own.try("GET", `/integrations/openapi/tools?configId=${configId}`));
    expect(await list(unpublished)).toMatchObject({
      status: 400,
      detail: expect.stringContaining("has no published revision"),
    });
    expect(await list(other)).toMatchObject({ status: 400 });
    expect(await list(wrong)).toMatchObject({
      status: 422,
      slug: "execution-failed",
      detail: expect.stringContaining('no "openapi" version'),
    });
  });

  test("a tool is run, and its result shown as text and as JSON", async () => {
    const number = await run("system/tools/calculate", { parameters: { expression: "2 * 21" } });
    expect(number.body).toEqual({
      response: "42",
      resultType: "Json",
      jsonValue: 42,
      fileLink: null,
    });
    const time = await run("system/tools/current_time", {});
    expect(time.body).toMatchObject({ resultType: "String", jsonValue: null });
  });

  test("a part of a result can be looked at", async () => {
    const parameters = { json: '{"items":[{"n":1},{"n":2}]}', query: "$" };
    const body = { parameters, resultSelect: "items.n" };
    const selected = await run("system/tools/json_query", body);
    expect(selected.body).toMatchObject({ response: "[1,2]", jsonValue: [1, 2] });
    for (const resultSelect of ["items[", "$error('no')", "$boom()"]) {
      const refused = await run("system/tools/json_query", { parameters, resultSelect });
      expect(expectProblem(refused)).toMatchObject({
        slug: "validation-failed",
        errors: [{ pointer: "/resultSelect" }],
      });
    }
  });

  test.each([[5], [true], [null], [{ a: 1 }], [["x"]]])(
    "a parameter with the value %j is refused with the documented detail",
    async (value) => {
      const refused = await run("system/tools/calculate", { parameters: { expression: value } });
      expect(refused.status).toBe(400);
      const detail =
        "The JSON value could not be converted to System.String. Path: $.parameters.expression";
      expect(expectProblem(refused)).toMatchObject({
        detail,
        errors: [{ pointer: "/parameters/expression", detail }],
      });
    },
  );

  test.each([
    ["system/tools/calculate", {}, 400, "/parameters/expression"],
    ["system/tools/calculate", { parameters: { expression: "1", x: "1" } }, 400, "/parameters/x"],
    ["openapi/tools/listPets", {}, 400, "/configId"],
    ["system/tools/calculate", { configId: "no" }, 400, "/configId"],
    ["system/tools/nothing", {}, 404, undefined],
    ["system/tools/calculate", { parameters: { expression: "'a'" } }, 422, undefined],
  ])("running %s with %j is %d", async (tool, body, status, pointer) => {
    const problem = expectProblem(await run(tool, body));
    expect(problem.status).toBe(status);
    if (pointer) expect(problem).toMatchObject({ errors: [{ pointer }] });
  });

  test("a flow's tool of a config is checked as far as it can be", async () => {
    await own.send("POST", "/agents", { id: "user", displayName: "User" });
    const step = { id: "a", type: "Tool", integrationId: "openapi", toolId: "listPets" };
    const refused = await own.try("POST", "/agents/user/revisions", {
      body: { flow: { steps: [step], edges: [] } },
    });
    expect(expectProblem(refused)).toMatchObject({
      errors: [{ pointer: "/flow/steps/0/configId" }],
    });
  });
});

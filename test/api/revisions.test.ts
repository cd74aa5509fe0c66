import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import type { Scope } from "../../client/openapi.ts";
import { expectProblem, newOrganization } from "../harness/api.ts";

test("a sub-agent that does not exist is refused when the revision is created, wherever it is named", async () => {
  const own = await newOrganization();
  await own.send("POST", "/agents", { id: "known", displayName: "A" });
  await own.send("POST", "/agents", { id: "caller", displayName: "A" });
  const call = (id: string, agentId: string) => ({ id, type: "SubAgent", agentId });
  const create = (agentId: string) =>
    own.try("POST", "/agents/caller/revisions", {
      body: {
        subAgents: [
          { id: "helper", agentId },
          { id: "fine", agentId: "known" },
        ],
        flow: {
          steps: [
            call("a", "known"),
            call("b", agentId),
            { id: "c", type: "ForEach", items: [1], step: { type: "SubAgent", agentId } },
            {
              id: "d",
              type: "Prompt",
              prompt: "x",
              llm: { providerId: "echo" },
              tools: ["fine", "helper"],
            },
          ],
          edges: [],
        },
      },
    });
  const problem = expectProblem(await create("ghost"));
  expect(problem).toMatchObject({
    slug: "validation-failed",
    status: 400,
    errors: [
      "/subAgents/0/agentId",
      "/flow/steps/1/agentId",
      "/flow/steps/2/step/agentId",
      "/flow/steps/3/tools/1",
    ].map((pointer) => ({ pointer, detail: expect.stringContaining('"ghost"') })),
  });
  expect((await create("known")).status).toBe(201);
  await own.send("POST", "/agents", { id: "gone", displayName: "A" });
  await own.send("DELETE", "/agents/gone");
  expect(expectProblem(await create("gone")).slug).toBe("validation-failed");
});

describe("the names in a revision", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;
  let configId: string;

  const document = JSON.stringify({
    openapi: "3.1.0",
    paths: {
      "/pets": {
        get: {
          operationId: "listPets",
          parameters: [{ name: "limit", in: "query", schema: { type: "integer" } }],
        },
      },
    },
  });
  const Created = z.looseObject({ id: z.string() });
  const createConfig = async (parameters: Record<string, string>) => {
    const body = { integrationId: "openapi", parameters };
    return Created.parse((await own.send("POST", "/integration-configs", body)).body).id;
  };
  const skill = { displayName: "Tone", description: "How to write", instructions: "Be kind." };
  const llm = { providerId: "echo" };

  beforeAll(async () => {
    own = await newOrganization();
    await own.send("POST", "/agents", { id: "caller", displayName: "Caller" });
    await own.send("POST", "/assets", { id: "handbook", displayName: "Handbook", type: "upload" });
    await own.send("POST", "/skills", { id: "tone", ...skill });
    configId = await createConfig({ document, baseUrl: "https://api.example.com" });
    await own.send("POST", `/integration-configs/${configId}:publish`);
  });

  const revise = (content: object) =>
    own.try("POST", "/agents/caller/revisions", { body: content });
  const flow = (...steps: object[]) => ({ steps, edges: [] });
  const retrieve = (assets?: string[]) => ({ id: "r", type: "Retrieve", query: "x", assets });
  const prompt = (more: object) => ({ id: "p", type: "Prompt", prompt: "x", llm, ...more });
  const tool = (more: object) => ({ id: "t", type: "Tool", ...more });
  const link = "https://example.com/a";

  test.each<[string, object, string, string]>([
    ["an asset", { assets: [{ id: "handbok" }] }, "/assets/0/id", '"handbook"'],
    [
      "an asset of a Retrieve",
      { assets: [{ id: "handbook" }], flow: flow(retrieve(["handbok"])) },
      "/flow/steps/0/assets/0",
      '"handbook"',
    ],
    [
      "an asset of a Prompt in a ForEach",
      {
        assets: [{ id: "handbook" }],
        flow: flow({
          id: "f",
          type: "ForEach",
          items: [1],
          step: prompt({ id: undefined, assets: ["handbook", "handbok"] }),
        }),
      },
      "/flow/steps/0/step/assets/1",
      '"handbook"',
    ],
    [
      "an asset without a source in a Retrieve",
      { assets: [{ id: "page", link }], flow: flow(retrieve(["page"])) },
      "/flow/steps/0/assets/0",
      "has no source",
    ],
    [
      "a Retrieve of assets without a source",
      { assets: [{ id: "page", link }], flow: flow(retrieve()) },
      "/flow/steps/0/assets",
      "has a source",
    ],
    [
      "a skill",
      { flow: flow(prompt({ skills: ["tone", "tonne"] })) },
      "/flow/steps/0/skills/1",
      '"tone"',
    ],
    [
      "a system tool",
      { flow: flow(tool({ integrationId: "system", toolId: "calculat" })) },
      "/flow/steps/0/toolId",
      '"calculate"',
    ],
    [
      "a Prompt's system tool",
      { flow: flow(prompt({ tools: ["calculat"] })) },
      "/flow/steps/0/tools/0",
      '"calculate"',
    ],
    [
      "an integration",
      { flow: flow(tool({ integrationId: "opnapi", toolId: "listPets" })) },
      "/flow/steps/0/integrationId",
      '"openapi"',
    ],
    [
      "a config's integration",
      {
        integrationConfigs: [
          { id: "0193f0a0-7c4b-7000-8000-000000000000", integrationId: "githb" },
        ],
      },
      "/integrationConfigs/0/integrationId",
      '"github"',
    ],
    [
      "an agent",
      { subAgents: [{ id: "a", agentId: "hanbook" }] },
      "/subAgents/0/agentId",
      "no agent",
    ],
  ])(
    "that do not exist are refused with the nearest one: %s",
    async (_, content, pointer, near) => {
      expect(expectProblem(await revise(content))).toMatchObject({
        status: 400,
        slug: "validation-failed",
        errors: [{ pointer, detail: expect.stringContaining(near) }],
      });
    },
  );

  test("include configs, which must exist and be of the tool's integration", async () => {
    const unknown = `${configId.slice(0, -1)}${configId.endsWith("0") ? "1" : "0"}`;
    const tools = [
      { integrationId: "openapi", toolId: "listPets", configId: unknown },
      { integrationId: "mcp", toolId: "listPets", configId },
    ];
    expect(expectProblem(await revise({ flow: flow(prompt({ tools })) }))).toMatchObject({
      status: 400,
      errors: [
        { pointer: "/flow/steps/0/tools/0/configId", detail: expect.stringContaining(configId) },
        { pointer: "/flow/steps/0/tools/1/configId", detail: expect.stringContaining("openapi") },
      ],
    });
  });

  test("that a stored document does not have, and configs that are not published, are warnings", async () => {
    const unpublished = await createConfig({ document, baseUrl: "https://api.example.com" });
    const integrationId = "openapi";
    const response = await revise({
      flow: flow(
        tool({ integrationId, toolId: "listPet", configId }),
        {
          ...tool({ integrationId, toolId: "listPets", configId }),
          id: "u",
          parameters: { limt: "1" },
        },
        {
          ...prompt({ tools: [{ integrationId, toolId: "listPets", configId: unpublished }] }),
          skills: ["tone"],
        },
        { ...tool({ integrationId, toolId: "listPets", configId }), id: "v" },
      ),
    });
    expect(response).toMatchObject({
      status: 201,
      body: {
        warnings: [
          { pointer: "/flow/steps/0/toolId", detail: expect.stringContaining('"listPets"') },
          { pointer: "/flow/steps/1/parameters/limt", detail: expect.stringContaining('"limit"') },
          {
            pointer: "/flow/steps/2/tools/0/configId",
            detail: expect.stringContaining("publish it"),
          },
        ],
      },
    });
  });

  test("are completed: assets by id from the asset, sub-agents from their agent", async () => {
    await own.send("POST", "/agents", {
      id: "helper",
      displayName: "Helper",
      description: "Helps",
    });
    const question = { name: "question", type: "String", required: true, description: "What" };
    const token = { name: "token", type: "String", secret: true, defaultValue: "s3cret" };
    await own.send("POST", "/agents/helper/revisions", {
      parametersMetadata: [question, token],
      useSession: true,
      flow: flow({ id: "a", type: "Output", value: "{% input.question %}" }),
    });
    await own.send("POST", "/agents/helper/revisions/1:deploy");
    const body = {
      assets: [{ id: "handbook" }, { id: "page", displayName: "Page", link }],
      subAgents: [
        { id: "one", agentId: "helper" },
        { id: "two", agentId: "helper", displayName: "Mine", actionType: "ReadOnly" },
      ],
    };
    const completed = {
      slug: "helper",
      integrationId: "sub_agent",
      displayName: "Helper",
      description: "Helps",
      toolType: "SubAgent",
      actionType: "ReadWrite",
      resultType: "Json",
      parametersMetadata: [
        { name: "question", type: "String", required: true, description: "What" },
        { name: "token", secret: true, defaultValue: null },
      ],
      useSession: true,
      avatarFileId: null,
      authSettings: { supportsOAuth: false, oAuth: [] },
    };
    const expected = {
      assets: [
        { id: "handbook", displayName: "Handbook" },
        { id: "page", displayName: "Page", link },
      ],
      subAgents: [
        { id: "one", ...completed },
        { id: "two", ...completed, displayName: "Mine", actionType: "ReadOnly" },
      ],
    };
    const { agentRevision } = Revision.parse((await revise(body)).body);
    const stored = (await own.send("GET", `/agents/caller/revisions/${agentRevision}`)).body;
    expect(stored).toMatchObject(expected);
    expect(stored).not.toHaveProperty("subAgents.0.completed");
    const again = Revision.parse(
      (await revise({ assets: [{ id: "page" }], subAgents: body.subAgents })).body,
    );
    expect(again).toMatchObject({ assets: [expected.assets[1]] });
    await own.send("PATCH", "/agents/helper", { displayName: "Assistant" });
    const sentBack = Revision.parse((await revise(Sent.parse(stored))).body);
    expect(sentBack).toMatchObject({
      subAgents: [{ displayName: "Assistant" }, { displayName: "Mine", actionType: "ReadOnly" }],
    });
  });
});

const Revision = z.looseObject({ agentRevision: z.int() });
const Sent = z.object({ assets: z.unknown(), subAgents: z.unknown() });

describe("a revision reaches nothing that its creator may not read", () => {
  const configId = "0198c0de-0000-7000-8000-000000000000";
  const asset = { id: "manual", displayName: "Manual", link: "https://example.com/manual" };
  const retrieve = { id: "find", type: "Retrieve", query: "x" };
  const prompt = { id: "ask", type: "Prompt", prompt: "x", llm: { providerId: "echo" } };
  const tool = { integrationId: "openapi", toolId: "get", configId };
  const buildFlow = (step: object) => ({ flow: { steps: [step], edges: [] } });
  const ofTenant = { assets: [asset] };
  const buildForEach = (step: object) =>
    buildFlow({ id: "each", type: "ForEach", items: [1], step: { ...step, id: undefined } });
  const ways: [name: string, scope: Scope, revision: object][] = [
    ["assets", "assets:read", ofTenant],
    ["Retrieve.assets", "assets:read", buildFlow({ ...retrieve, assets: ["manual"] })],
    ["Prompt.assets", "assets:read", buildFlow({ ...prompt, assets: ["manual"] })],
    ["Retrieve in a ForEach", "assets:read", buildForEach({ ...retrieve, assets: ["manual"] })],
    [
      "the default of an Asset parameter",
      "assets:read",
      { parametersMetadata: [{ name: "about", type: "Asset", defaultValue: "manual" }] },
    ],
    [
      "integrationConfigs",
      "integrations:read",
      { integrationConfigs: [{ id: configId, integrationId: "openapi" }] },
    ],
    ["Tool", "integrations:read", buildFlow({ id: "tool", type: "Tool", ...tool })],
    ["a tool of a Prompt", "integrations:read", buildFlow({ ...prompt, tools: [tool] })],
    ["Tool in a ForEach", "integrations:read", buildForEach({ type: "Tool", ...tool })],
    ["a skill with such a tool", "integrations:read", buildFlow({ ...prompt, skills: ["caller"] })],
    ["a skill with resources", "assets:read", buildFlow({ ...prompt, skills: ["reader"] })],
  ];
  let own: Awaited<ReturnType<typeof newOrganization>>;
  const keys: Record<string, string> = {};

  beforeAll(async () => {
    own = await newOrganization();
    await own.send("POST", "/agents", { id: "deputy", displayName: "A" });
    const tools = [{ integrationId: "openapi", id: "get" }];
    const skill = { displayName: "S", description: "S", instructions: "S" };
    await own.send("POST", "/skills", { ...skill, id: "caller", tools });
    await own.send("POST", "/skills", { ...skill, id: "reader", resources: [{ assetId: "a" }] });
    await own.send("POST", "/skills", {
      ...skill,
      id: "plain",
      tools: [{ integrationId: "system", id: "calculate" }],
    });
    await own.send("POST", "/agents", { id: "nearby", displayName: "A" });
    await own.send("POST", "/llm-providers", { id: "gateway", type: "openai", apiKey: "k" });
    keys["assets:read"] = await own.mintKey(["revisions:write", "assets:read"]);
    keys["integrations:read"] = await own.mintKey(["revisions:write", "integrations:read"]);
    keys.neither = await own.mintKey(["revisions:write"]);
  });
  const create = (key: string | undefined, body: object) =>
    own.try("POST", "/agents/deputy/revisions", {
      token: undefined,
      ...(key !== undefined && { key }),
      body,
    });

  test.each(ways)("%s", async (_, requiredScope, revision) => {
    const refused = await create(keys.neither, revision);
    expect(expectProblem(refused)).toMatchObject({ slug: "insufficient-scope", requiredScope });
    const other = requiredScope === "assets:read" ? "integrations:read" : "assets:read";
    expect((await create(keys[other], revision)).status).toBe(403);
    expect((await create(keys[requiredScope], revision)).status).not.toBe(403);
  });

  test("also by a skill that gets such a tool later: its change and creation need integrations:read", async () => {
    const skill = { id: "later", displayName: "S", description: "S", instructions: "S" };
    const tools = [{ integrationId: "openapi", id: "get" }];
    const writer = await own.mintKey(["skills:write"]);
    const reader = await own.mintKey(["skills:write", "integrations:read"]);
    const send = (key: string, method: "POST" | "PUT", path: string, body: object) =>
      own.try(method, path, { token: undefined, key, body });
    expect((await send(writer, "POST", "/skills", skill)).status).toBe(201);
    const named = buildFlow({ ...prompt, skills: ["later"] });
    expect((await create(keys.neither, named)).status).toBe(201);
    const refusal = { slug: "insufficient-scope", requiredScope: "integrations:read" };
    const refused = await send(writer, "PUT", "/skills/later", { tools });
    expect(expectProblem(refused)).toMatchObject({ status: 403, ...refusal });
    expect((await own.send("GET", "/skills/later")).body).toMatchObject({ tools: null });
    const made = await send(writer, "POST", "/skills", { ...skill, id: "other", tools });
    expect(expectProblem(made)).toMatchObject({ status: 403, ...refusal });
    const changed = await send(reader, "PUT", "/skills/later", { tools });
    expect(changed).toMatchObject({ status: 200, body: { tools } });
    const renamed = await send(writer, "PUT", "/skills/later", { displayName: "T" });
    expect(renamed).toMatchObject({ status: 200, body: { tools, displayName: "T" } });
  });

  test("nor shows it: sub-agents are completed only for a caller who may read agents and revisions", async () => {
    const inner = { name: "plan", type: "String", defaultValue: "inner plan" };
    await own.send("POST", "/agents", { id: "hidden", displayName: "Hidden", description: "D" });
    await own.send("POST", "/agents/hidden/revisions", { parametersMetadata: [inner] });
    const revision = { subAgents: [{ id: "one", agentId: "hidden" }] };
    const unread: Scope[][] = [[], ["agents:read"], ["revisions:read"]];
    for (const scopes of unread) {
      const key = await own.mintKey(["revisions:write", ...scopes]);
      const created = await create(key, revision);
      expect(created.status).toBe(201);
      expect(created.body).toMatchObject({
        subAgents: [
          {
            id: "one",
            agentId: "hidden",
            displayName: null,
            description: null,
            parametersMetadata: [],
          },
        ],
      });
      expect(created.text).not.toMatch(/inner plan|Hidden/);
    }
    const reader = await own.mintKey(["revisions:write", "agents:read", "revisions:read"]);
    expect((await create(reader, revision)).body).toMatchObject({
      subAgents: [{ displayName: "Hidden", parametersMetadata: [{ defaultValue: "inner plan" }] }],
    });
  });

  test.each<[Scope, string, object]>([
    ["skills:read", "plain", buildFlow({ ...prompt, skills: ["plian"] })],
    ["agents:read", "nearby", { subAgents: [{ id: "one", agentId: "naerby" }] }],
    ["llm_providers:read", "gateway", buildFlow({ ...prompt, llm: { providerId: "gatewya" } })],
  ])("nor suggests it: a near name is named only with %s", async (scope, near, revision) => {
    const refused = await create(keys.neither, revision);
    expect(expectProblem(refused)).toMatchObject({ slug: "validation-failed" });
    expect(refused.text).toContain("there is no ");
    expect(refused.text).not.toContain("did you mean");
    const reader = await own.mintKey(["revisions:write", scope]);
    expect((await create(reader, revision)).text).toContain(`did you mean \\"${near}\\"?`);
  });

  test("without either, it needs revisions:write alone; a Builder creates any", async () => {
    const plain = buildFlow({ ...prompt, tools: ["calculate"], skills: ["plain"] });
    expect((await create(keys.neither, plain)).status).toBe(201);
    const minted = await own.send("POST", "/apiKeys:generate", { name: "b", preset: "Builder" });
    const key = String(Object.entries(minted.body ?? {}).find(([name]) => name === "key")?.[1]);
    const all = { ...ofTenant, ...buildFlow({ ...prompt, skills: ["caller"] }) };
    expect((await create(key, all)).status).toBe(201);
  });
});

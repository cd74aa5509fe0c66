import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { call, expectProblem, newOrganization } from "../harness/api.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;

const Result = z.looseObject({ executionId: z.string(), output: z.unknown(), status: z.string() });

const Failure = z.looseObject({ executionId: z.string() });

const greeter = {
  comment: "greets",
  parametersMetadata: [{ name: "name", type: "String", required: true }],
  llmConfigs: [{ providerId: "echo", parameters: {} }],
  flow: {
    steps: [
      { id: "one", type: "Transform", value: "Hello, {% input.name %}!" },
      { id: "two", type: "Prompt", prompt: "{% steps.one.output %}" },
      { id: "three", type: "Output", value: { said: "{% steps.two.output %}" } },
    ],
    edges: [
      { source: "one", target: "two" },
      { source: "two", target: "three" },
    ],
  },
};

describe("an agent", () => {
  let own: Organization;

  beforeAll(async () => {
    own = await newOrganization();
  });

  test("is built, deployed, run with a key, and its record read", async () => {
    await own.deployAgent("greeter", greeter);
    const runner = await own.mintKey(["agents:execute"]);
    const ran = await own.try("POST", "/agents/greeter:execute", {
      token: undefined,
      key: runner,
      body: { input: { name: "Ada" }, metadata: { ticket: "7" } },
    });
    expect(ran.status).toBe(200);
    const result = Result.parse(ran.body);
    expect(result).toMatchObject({
      agentId: "greeter",
      agentRevision: 1,
      status: "Succeeded",
      output: { said: "Hello, Ada!" },
      cost: { totalCost: 0 },
    });
    const record = await own.send("GET", `/agents/greeter/execution-records/${result.executionId}`);
    expect(record.body).toMatchObject({
      id: result.executionId,
      tenantId: own.tenantId,
      status: "Succeeded",
      input: { name: "Ada" },
      output: { said: "Hello, Ada!" },
      error: null,
      metadata: { ticket: "7" },
      environmentSlug: "production",
      trigger: { type: 0, provider: null },
    });
    const list = await own.send("GET", "/agents/greeter/execution-records");
    expect(list.body).toMatchObject({ items: [{ id: result.executionId }], nextPageToken: null });
  });

  test("responds the same whether the colon of a custom method is encoded or not, and under its tenant's slug", async () => {
    await own.deployAgent("colon", greeter);
    const body = { input: { name: "x" } };
    for (const path of [
      "/agents/colon:execute",
      "/agents/colon%3Aexecute",
      "/agents/%63olon%3aexecute",
    ]) {
      expect((await own.try("POST", path, { body })).status, path).toBe(200);
    }
    const bySlug = await call("POST", `/v1/tenants/${own.slug}/agents/colon:execute`, {
      token: own.token,
      body,
    });
    expect(bySlug.status).toBe(200);
    const unknown = await own.try("POST", "/agents/colon:nonsense", { body });
    expect(expectProblem(unknown).slug).toBe("not-found");
    const twice = await own.try("POST", "/agents/colon%253Aexecute", { body });
    expect(twice.status).toBe(405);
  });

  test("is gone immediately when deleted, with its data, and its id can be reused", {
    tags: "nightly",
  }, async () => {
    await own.deployAgent("fleeting", greeter);
    const ran = await own.send("POST", "/agents/fleeting:execute", { input: { name: "x" } });
    const { executionId } = Result.parse(ran.body);
    expect((await own.send("DELETE", "/agents/fleeting")).status).toBe(204);
    for (const path of [
      "",
      "/revisions",
      "/revisions/1",
      "/execution-records",
      `/execution-records/${executionId}`,
    ]) {
      expect((await own.try("GET", `/agents/fleeting${path}`)).status, path).toBe(404);
    }
    await expect
      .poll(
        async () =>
          (await own.try("POST", "/agents", { body: { id: "fleeting", displayName: "Again" } }))
            .status,
        { timeout: 20_000 },
      )
      .toBe(201);
    const list = await own.send("GET", "/agents/fleeting/revisions");
    expect(list.body).toEqual({ items: [], nextPageToken: null });
  });

  test("fails with the failed step, and its record has the reason", async () => {
    await own.deployAgent("broken", {
      flow: {
        steps: [
          {
            id: "sum",
            type: "Tool",
            integrationId: "system",
            toolId: "calculate",
            parameters: { expression: "1 +" },
          },
        ],
        edges: [],
      },
    });
    const ran = await own.try("POST", "/agents/broken:execute", { body: {} });
    expect(ran.status).toBe(422);
    const problem = expectProblem(ran);
    expect(problem).toMatchObject({ slug: "execution-failed", step: "sum" });
    const record = await own.send(
      "GET",
      `/agents/broken/execution-records/${Failure.parse(problem).executionId}`,
    );
    expect(record.body).toMatchObject({
      status: "Failed",
      hasResult: false,
      error: { type: "/problems/execution-failed", step: "sum" },
    });
  });

  test("with a flow that cannot work is refused with pointers into the body", async () => {
    await own.send("POST", "/agents", { id: "wrong", displayName: "Wrong" });
    const refused = await own.try("POST", "/agents/wrong/revisions", {
      body: {
        flow: {
          steps: [
            { id: "a", type: "Transform", value: "{% steps. %}" },
            { id: "b", type: "Nonsense" },
            { id: "a", type: "Output", value: 1 },
          ],
          edges: [
            { source: "a", target: "b" },
            { source: "b", target: "nowhere" },
          ],
        },
      },
    });
    expect(refused.status).toBe(400);
    const { errors } = z
      .looseObject({ errors: z.array(z.object({ pointer: z.string(), detail: z.string() })) })
      .parse(expectProblem(refused));
    expect(errors.map((error) => error.pointer)).toEqual(
      expect.arrayContaining([
        "/flow/steps/0/value",
        "/flow/steps/1/type",
        "/flow/steps/2/id",
        "/flow/edges/1/target",
      ]),
    );
  });

  test("keeps its secrets: sealed at rest, opened to run, masked everywhere else", async () => {
    await own.deployAgent("secretive", {
      parametersMetadata: [
        { name: "password", type: "String", secret: true, defaultValue: "hunter2-hunter2" },
      ],
      flow: {
        steps: [{ id: "length", type: "Output", value: "{% $length(input.password) %}" }],
        edges: [],
      },
    });
    const ran = await own.send("POST", "/agents/secretive:execute", {});
    expect(ran.body).toMatchObject({ output: 15 });
    const revision = await own.send("GET", "/agents/secretive/revisions/1");
    expect(revision.text).toContain("********");
    expect(revision.text).not.toContain("hunter2");
  });

  test("masks a stored secret default in all that its executions and those of its sub-agents show", async () => {
    const secretNamed = (name: string, defaultValue: string) => [
      { name, type: "String", secret: true, defaultValue },
    ];
    const secrets = ["stored-default-of-child", "stored-default-of-parent"] as const;
    await own.deployAgent("teller", {
      parametersMetadata: secretNamed("token", secrets[0]),
      flow: {
        steps: [
          { id: "bearer", type: "Transform", value: "Bearer {% input.token %}" },
          {
            id: "out",
            type: "Output",
            value: { is: "{% steps.bearer.output %}", named: "{% { input.token: 1 } %}" },
          },
        ],
        edges: [{ source: "bearer", target: "out" }],
      },
    });
    await own.deployAgent("repeater", {
      parametersMetadata: [{ name: "text", type: "String" }],
      flow: { steps: [{ id: "out", type: "Output", value: "{% input.text %}" }], edges: [] },
    });
    const steps = [
      { id: "teller", type: "SubAgent", agentId: "teller", input: {} },
      {
        id: "repeater",
        type: "SubAgent",
        agentId: "repeater",
        input: { text: "{% input.secret %}!" },
      },
      {
        id: "out",
        type: "Output",
        value: ["{% steps.teller.output %}", "{% steps.repeater.output %}"],
      },
    ];
    const edges = ["teller", "repeater"].map((source) => ({ source, target: "out" }));
    await own.deployAgent("parent", {
      parametersMetadata: secretNamed("secret", secrets[1]),
      flow: { steps, edges },
    });
    const shown = { is: "Bearer ********", named: { "********": 1 } };
    const ran = await own.send("POST", "/agents/teller:execute", {});
    expect(ran.body).toMatchObject({ output: shown });
    const parent = await own.send("POST", "/agents/parent:execute", {});
    expect(parent.body).toMatchObject({ output: [shown, "********!"] });
    const texts = [ran.text, parent.text];
    const executionIds: Record<string, string> = {};
    for (const agent of ["teller", "repeater", "parent"]) {
      const records = `/agents/${agent}/execution-records`;
      const list = await own.send("GET", records);
      const [latest] = z
        .looseObject({ items: z.array(z.looseObject({ id: z.string() })) })
        .parse(list.body).items;
      executionIds[agent] = latest?.id ?? "";
      const record = await own.send("GET", `${records}/${latest?.id}`);
      const trace = await own.send("GET", `${records}/${latest?.id}/trace`);
      texts.push(list.text, record.text, trace.text);
    }
    const stream = await own.try("POST", "/agents/parent:execute", {
      body: {},
      headers: { Accept: "text/event-stream" },
    });
    expect(stream.text).toContain("event: execution.completed");
    await own.send("POST", "/datasets", { id: "collected", displayName: "Collected" });
    await own.send("POST", "/datasets/collected/examples:from-executions", {
      agentId: "parent",
      executionIds: [executionIds.parent],
    });
    const examples = await own.send("GET", "/datasets/collected/examples");
    expect(examples.body).toMatchObject({ items: [{ expected: [shown, "********!"] }] });
    const exposed = await own.send("POST", "/integration-configs", {
      integrationId: "system",
      exposeMcp: true,
      parameters: { agents: ["parent"], tools: [] },
    });
    const { id } = z.looseObject({ id: z.string() }).parse(exposed.body);
    await own.send("POST", `/integration-configs/${id}:publish`);
    const called = await own.send("POST", `/mcp/${id}`, {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "parent", arguments: {} },
    });
    expect(called.text).toContain("********");
    texts.push(stream.text, examples.text, called.text);
    for (const text of texts) for (const secret of secrets) expect(text).not.toContain(secret);
  });

  test("returns outputs and accepts revisions that are larger than an item of the table", {
    tags: "nightly",
  }, async () => {
    const noise = randomBytes(450_000).toString("base64");
    await own.deployAgent("large", {
      flow: { steps: [{ id: "out", type: "Output", value: noise }], edges: [] },
    });
    const ran = Result.parse((await own.send("POST", "/agents/large:execute", {})).body);
    expect(ran.output).toBe(noise);
    const record = await own.send("GET", `/agents/large/execution-records/${ran.executionId}`);
    expect(z.looseObject({ output: z.string() }).parse(record.body).output).toBe(noise);
  });

  test("runs sixty concurrently, and records them once", { tags: "nightly" }, async () => {
    await own.deployAgent("busy", greeter);
    const runs = await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        own.send("POST", "/agents/busy:execute", { input: { name: String(at) } }),
      ),
    );
    const ids = new Set(runs.map((run) => Result.parse(run.body).executionId));
    const list = await own.send("GET", "/agents/busy/execution-records?PageSize=200");
    const { items } = z
      .looseObject({ items: z.array(z.looseObject({ id: z.string(), startTime: z.number() })) })
      .parse(list.body);
    expect(new Set(items.map((item) => item.id))).toEqual(ids);
    const times = items.map((item) => item.startTime);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const counted = async (query: string) => {
      const { body } = await own.send(
        "GET",
        `/agents/busy/execution-records?PageSize=200&${query}`,
      );
      return z.looseObject({ items: z.array(z.unknown()) }).parse(body).items.length;
    };
    const [lowest, highest] = ["-9223372036854775808", "9223372036854775807"];
    expect(await counted(`startTime=${lowest}&endTime=${highest}`)).toBe(60);
    expect(await counted(`startTime=${highest}`)).toBe(0);
    expect(await counted(`endTime=${lowest}`)).toBe(0);
  });
});

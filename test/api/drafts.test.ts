import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { call, expectProblem, newOrganization } from "../harness/api.ts";

const Ran = z.looseObject({ executionId: z.string(), status: z.string(), output: z.unknown() });

const revision = {
  parametersMetadata: [{ name: "name", type: "String" }],
  llmConfigs: [{ providerId: "echo", parameters: {} }],
  flow: {
    steps: [
      { id: "greeting", type: "Transform", value: "Hello, {% input.name %}!" },
      { id: "loud", type: "Prompt", prompt: "{% $uppercase(steps.greeting.output) %}" },
      { id: "answer", type: "Output", value: { said: "{% steps.loud.output %}" } },
    ],
    edges: [
      { source: "greeting", target: "loud" },
      { source: "loud", target: "answer" },
    ],
  },
};
const input = { name: "Ada" };

describe("a test of a draft", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;
  const path = "/agents/empty:test-draft";
  const send = (body: object, headers: Record<string, string> = {}) =>
    call("POST", own.base + path, { token: own.token, body, headers });

  beforeAll(async () => {
    own = await newOrganization();
    await own.send("POST", "/agents", { id: "empty", displayName: "Empty" });
  });

  test("runs an agent without a revision, stores none, and is listed, read and counted as a test", {
    tags: "nightly",
  }, async () => {
    const { body, status } = await send({ revision, input });
    expect(status).toBe(200);
    const ran = Ran.parse(body);
    expect(ran).toMatchObject({ agentRevision: 0, status: "Succeeded" });
    expect(ran.output).toEqual({ said: "HELLO, ADA!" });
    const record = `/agents/empty/execution-records/${ran.executionId}`;
    expect((await own.send("GET", record)).body).toMatchObject({
      agentRevision: 0,
      isSample: true,
      environmentSlug: "test",
      trigger: { type: 5 },
      input,
    });
    expect((await own.send("GET", "/agents/empty")).body).toMatchObject({ latestRevision: null });
    const drafts = await own.send("GET", "/execution-records?revision=0");
    expect(drafts.body).toMatchObject({ items: [{ id: ran.executionId }] });
    const cost = await own.send("GET", "/agents/empty/revisions/*/cost");
    expect(cost.body).toMatchObject({ executionCount: 1 });
  });

  test("runs one step with pinned outputs, which its trace shows as such, and streams its events", async () => {
    const only = { revision, input, only: "loud", pinned: { greeting: "hi" } };
    const { body } = await send(only);
    const { executionId, output } = Ran.parse(body);
    expect(output).toBe("HI");
    const trace = await own.send("GET", `/agents/empty/execution-records/${executionId}/trace`);
    expect(trace.body).toMatchObject({
      spans: [{ stepId: "greeting", pinned: true, output: "hi" }, { stepId: "loud" }, {}],
    });
    const { text } = await send(only, { accept: "text/event-stream" });
    const events = [...text.matchAll(/^event: (.+)$/gm)].map(([, name]) => name);
    expect(events.at(0)).toBe("execution.started");
    expect(events.at(-1)).toBe("execution.completed");
    expect(text).not.toContain('"stepId":"greeting"');
  });

  test("is continued by a worker after respond-async", async () => {
    const accepted = await send(
      { revision, input, pinned: { loud: "X" } },
      { prefer: "respond-async" },
    );
    expect(accepted.status).toBe(202);
    const { executionId } = Ran.parse(accepted.body);
    const read = async () =>
      (await own.send("GET", `/agents/empty/execution-records/${executionId}`)).body;
    await expect
      .poll(read, { timeout: 20_000, interval: 200 })
      .toMatchObject({ status: "Succeeded", output: { said: "X" } });
  });

  test("refuses what creation refuses, with pointers below /revision, and steps that do not exist or are not pinned", async () => {
    const refused = async (body: object) => {
      const { errors, slug }: { errors?: unknown; slug: string } = expectProblem(await send(body));
      expect(slug).toBe("validation-failed");
      return z
        .array(z.looseObject({ pointer: z.string() }))
        .parse(errors)
        .map(({ pointer }) => pointer);
    };
    const wrong = {
      steps: [{ id: "a", type: "Output", value: "{% steps.b.output %}" }],
      edges: [],
    };
    expect(await refused({ revision: { flow: wrong } })).toEqual(["/revision/flow/steps/0/value"]);
    expect(await refused({ revision: { flow: 1 } })).toEqual(["/revision/flow"]);
    expect(await refused({ revision: { ...revision, guardrails: ["none"] } })).toEqual([
      "/revision/guardrails/0",
    ]);
    expect(await refused({})).toEqual(["/revision"]);
    expect(await refused({ revision, pinned: { other: 1 } })).toEqual(["/pinned/other"]);
    expect(await refused({ revision, only: "other" })).toEqual(["/only"]);
    expect(await refused({ revision, only: "loud" })).toEqual(["/pinned/greeting"]);
    expect(await refused({ revision, input: { city: "x" } })).toEqual(["/input/city"]);
  });

  test("needs agents:test and what the creation of the revision needs, and runs sub-agents that the caller may test", {
    tags: "nightly",
  }, async () => {
    const attempt = async (scopes: readonly string[], body: object) =>
      call("POST", own.base + path, { key: await own.mintKey([...scopes]), body });
    const scopes = ["agents:test", "revisions:write"];
    expect((await attempt(scopes, { revision, input })).status).toBe(200);
    for (const missing of scopes) {
      const refused = await attempt(
        scopes.filter((scope) => scope !== missing),
        { revision, input },
      );
      expect(expectProblem(refused)).toMatchObject({
        slug: "insufficient-scope",
        requiredScope: missing,
      });
    }
    await own.deployAgent("helper", {
      flow: { steps: [{ id: "out", type: "Output", value: "helped" }], edges: [] },
    });
    const flow = {
      steps: [{ id: "ask", type: "SubAgent", agentId: "helper", input: {} }],
      edges: [],
    };
    const helped = await send({ revision: { flow } });
    expect(Ran.parse(helped.body)).toMatchObject({ status: "Succeeded", output: "helped" });
    const missing = await call("POST", `${own.base}/agents/nobody:test-draft`, {
      token: own.token,
      body: { revision, input },
    });
    expect(expectProblem(missing).slug).toBe("not-found");
  });
});

import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { newOrganization } from "../harness/api.ts";
import { type ModelServer, startModelServer } from "../harness/model-server.ts";

const Page = z.object({ items: z.array(z.looseObject({ id: z.string(), text: z.string() })) });
const Trace = z.object({
  spans: z.array(z.looseObject({ type: z.string(), name: z.string(), output: z.unknown() })),
});

let models: ModelServer;
beforeAll(async () => {
  models = await startModelServer();
});
afterAll(() => models.close());

test("a fact of one execution is used by a later one, listed, shown in the trace, and gone once it is deleted", {
  tags: "nightly",
}, async () => {
  const own = await newOrganization();
  await own.send("POST", "/llm-providers", {
    id: "stand-in",
    type: "openai-compatible",
    displayName: "Stand-in",
    baseUrl: `${models.url}/v1`,
    apiKey: "sk-key",
  });
  await own.deployAgent("host", {
    parametersMetadata: [{ name: "said", type: "String", required: true }],
    llmConfigs: [{ providerId: "stand-in", parameters: { model: "any" } }],
    flow: {
      steps: [
        {
          id: "answer",
          type: "Prompt",
          prompt: "{% input.said %}",
          memory: { namespace: "ada" },
        },
      ],
      edges: [],
    },
  });
  const runTurn = async (said: string, ...facts: readonly string[]) => {
    models.script({ text: "Noted." }, { text: JSON.stringify({ facts }) });
    const { body } = await own.try("POST", "/agents/host:execute", { body: { input: { said } } });
    return z.looseObject({ executionId: z.string() }).parse(body).executionId;
  };
  const path = "/agents/host/memories";
  const list = async () => Page.parse((await own.send("GET", `${path}?namespace=ada`)).body).items;
  const readTrace = async (id: string) =>
    Trace.parse((await own.send("GET", `/agents/host/execution-records/${id}/trace`)).body).spans;
  const findKept = async (id: string) =>
    (await readTrace(id)).find(({ name }) => name === "Memories of the turn");

  const first = await runTurn("I drink green tea.", "Ada drinks green tea.");
  await expect.poll(list, { timeout: 20_000 }).toMatchObject([{ text: "Ada drinks green tea." }]);
  expect(await findKept(first)).toMatchObject({
    output: { facts: [{ text: "Ada drinks green tea." }] },
  });
  const before = models.requests.length;
  const second = await runTurn("Which tea do I drink?");
  await expect.poll(() => findKept(second), { timeout: 20_000 }).toBeDefined();
  expect(JSON.stringify(models.requests[before]?.body)).toContain("Ada drinks green tea.");
  const [fact] = await list();
  await own.send("DELETE", `${path}/${fact?.id}`);
  expect(await list()).toEqual([]);
  await own.send("DELETE", `${path}?namespace=ada`);
  const after = models.requests.length;
  const third = await runTurn("Which tea do I drink?");
  expect(JSON.stringify(models.requests[after]?.body)).not.toContain("Ada drinks");
  await expect.poll(() => findKept(third), { timeout: 20_000 }).toBeDefined();
});

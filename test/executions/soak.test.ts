import { expect, test } from "vitest";
import * as z from "zod";
import { newOrganization } from "../harness/api.ts";

const Result = z.looseObject({ executionId: z.string() });
const Records = z.object({
  items: z.array(
    z.looseObject({ id: z.string(), endTime: z.int().nullable(), hasResult: z.boolean() }),
  ),
  nextPageToken: z.string().nullable(),
});
/** Number of executions; `SOAK=500` for a long run. */
const count = Number(process.env.SOAK ?? 100);

const agent = {
  parametersMetadata: [{ name: "number", type: "Integer", required: true }],
  llmConfigs: [{ providerId: "echo", parameters: {} }],
  flow: {
    steps: [
      { id: "one", type: "Transform", value: "{% input.number * 2 %}" },
      { id: "two", type: "Prompt", prompt: "{% $string(steps.one.output) %}" },
      { id: "three", type: "Output", value: "{% $number(steps.two.output) %}" },
    ],
    edges: [
      { source: "one", target: "two" },
      { source: "two", target: "three" },
    ],
  },
};

test(`${count} concurrent executions, half of them in the background, all end and are counted once`, {
  tags: "nightly",
}, async () => {
  const own = await newOrganization();
  await own.deployAgent("busy", agent);
  const responses = await Promise.all(
    Array.from({ length: count }, (_, number) =>
      own.try("POST", "/agents/busy:execute", {
        body: { input: { number } },
        headers: number % 2 === 0 ? { Prefer: "respond-async" } : {},
      }),
    ),
  );
  // On a busy machine, an execution of more than 25 seconds continues in the background, too.
  const refused = responses.filter(({ status }) => status !== 200 && status !== 202);
  expect(refused.map(({ status, text }) => `${status} ${text}`)).toEqual([]);
  expect(responses.filter(({ status }) => status === 202).length).toBeGreaterThanOrEqual(count / 2);
  const ids = responses.map(({ body }) => Result.parse(body).executionId);
  expect(new Set(ids).size).toBe(count);

  const records = async () => {
    const found = [];
    for (let skip: string | null = "0"; skip !== null; ) {
      const path = `/agents/busy/execution-records?PageSize=200&PageToken.Skip=${skip}`;
      const page = Records.parse((await own.send("GET", path)).body);
      found.push(...page.items);
      skip = page.nextPageToken;
    }
    return found;
  };
  await expect
    .poll(async () => (await records()).filter(({ endTime }) => endTime === null).length, {
      timeout: 45_000,
      interval: 1_000,
    })
    .toBe(0);
  const ended = await records();
  expect(new Set(ended.map(({ id }) => id))).toEqual(new Set(ids));
  expect(ended.every(({ hasResult }) => hasResult)).toBe(true);
  const cost = await own.send("GET", "/agents/busy/revisions/1/cost");
  expect(cost.body).toMatchObject({ executionCount: count });
  const usages = await own.send("GET", "/agents/busy/revisions/*/model-usages");
  expect(usages.body).toMatchObject([{ modelId: "echo-1", executionCount: count }]);
});

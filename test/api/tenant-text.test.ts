import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { call, expectProblem, newOrganization } from "../harness/api.ts";
import { isNightly, sampleCases } from "../harness/runs.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;

const Created = z.looseObject({ id: z.string() });
const Deliveries = z.object({
  items: z.array(
    z.looseObject({
      results: z.array(z.looseObject({ status: z.string(), error: z.string().nullable() })),
    }),
  ),
});

const listener = {
  parametersMetadata: [{ name: "value", type: "Json" }],
  flow: { steps: [{ id: "out", type: "Output", value: "{% input.value %}" }], edges: [] },
};

/** Creates a webhook and a subscription that makes `input` for an agent. */
const subscribed = async (own: Organization, input: object) => {
  await own.deployAgent("listener", listener);
  const key = await own.mintKey(["inbound:deliver"]);
  const { id } = Created.parse((await own.send("POST", "/webhooks", { provider: "generic" })).body);
  const subscription = { subscriberType: "Agent", subscriberId: "listener", input };
  await own.send("POST", `/webhooks/${id}/subscriptions`, subscription);
  return {
    deliver: async () => {
      const path = `${own.base}/webhooks/generic/${id}/${key}`;
      expect((await call("POST", path, { body: { n: 1 } })).status).toBe(204);
    },
    results: async () => {
      const { body } = await own.send("GET", `/webhooks/${id}/deliveries`);
      return Deliveries.parse(body).items.flatMap(({ results }) => results);
    },
  };
};

describe("a subscription's expressions", () => {
  const endless = "{% $contains($pad('', 40, 'a') & 'b', /^(a+)+$/) %}";
  // A text takes a part of its second, all of them much more than their total.
  const slow = "{% $sum([1..40000].($ * 2)) + payload.n %}";
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`m${at}`, slow]));

  test.each(
    sampleCases<[string, unknown, RegExp]>(
      [
        ["its limit", endless, /character 0 takes too long/],
        ["a total", many, /character 0 (exceeds the 5 s|takes too long)/],
      ],
      1,
    ),
  )(
    "end at %s of processor time and do not delay another tenant's delivery",
    { tags: "nightly", timeout: 240_000 },
    async (_, value, limit) => {
      const [hostile, other] = [await newOrganization(), await newOrganization()];
      const heavy = await subscribed(hostile, { value });
      const light = await subscribed(other, { value: "{% payload.n + 1 %}" });
      await heavy.deliver();
      await light.deliver();
      await expect
        .poll(light.results, { timeout: 100_000 })
        .toEqual([expect.objectContaining({ status: "Succeeded", error: null })]);
      const failed = expect.objectContaining({
        status: "Failed",
        error: expect.stringMatching(
          new RegExp(`^The subscription's input fails: The expression at ${limit.source}`),
        ),
      });
      await expect.poll(heavy.results, { timeout: 100_000 }).toEqual([failed]);
    },
  );
});

describe("an expression of one organization", () => {
  const text = { name: "text", type: "String" };
  const asker = {
    parametersMetadata: [text],
    flow: {
      steps: [
        {
          id: "asked",
          type: "Tool",
          integrationId: "system",
          toolId: "json_query",
          parameters: { json: '{"a": {}}', query: "{% input.text %}" },
        },
        { id: "out", type: "Output", value: "{% steps.asked.output %}" },
      ],
      edges: [{ source: "asked", target: "out" }],
    },
  };
  const shouter = {
    parametersMetadata: [text],
    flow: {
      steps: [{ id: "out", type: "Output", value: "{% $uppercase(input.text) %}" }],
      edges: [],
    },
  };
  // A function of JavaScript, which jsonata calls as it calls its own.
  const mine = "$mine := (function($f) { $f })(function($text) { 'stolen: ' & $text })";

  const transforms: [string, string][] = [
    ["of a function", `(${mine}; {} ~> |$uppercase|{'implementation': $mine}|)`],
    ["of a function in a list", `(${mine}; {} ~> |[$uppercase, $sum]|{'implementation': $mine}|)`],
    [
      "of a function in data",
      `(${mine}; {'f': 1} ~> |{'f': $uppercase}.f|{'implementation': $mine}|)`,
    ],
    ["that deletes", "{} ~> |$uppercase|{}, ['implementation', 'signature']|"],
  ];
  // Several calls reach several instances of the function.
  const calls = isNightly ? 3 : 1;

  test.each(sampleCases(transforms, 1))(
    "cannot change a function of another's by a transform %s",
    async (_name, query) => {
      const [hostile, other] = [await newOrganization(), await newOrganization()];
      await hostile.deployAgent("asker", asker);
      await other.deployAgent("shouter", shouter);
      const key = await hostile.mintKey(["agents:execute"]);
      for (let at = 0; at < calls; at += 1) {
        const asked = await call("POST", `${hostile.base}/agents/asker:execute`, {
          key,
          body: { input: { text: query } },
        });
        const body = { input: { text: "secret" } };
        const shouted = await other.try("POST", "/agents/shouter:execute", { body });
        expect(shouted.body).toMatchObject({ status: "Succeeded", output: "SECRET" });
        expect(expectProblem(asked)).toMatchObject({
          status: 422,
          detail: expect.stringContaining("tries to change a function"),
        });
      }
    },
  );
});

describe("a flow's expressions", () => {
  let own: Organization;

  beforeAll(async () => {
    own = await newOrganization();
  });

  const expressions: [string, string][] = [
    ["$split", "$count($split(input.text, ''))"],
    ["$distinct", "$count($distinct($split(input.text, '')))"],
    ["$shuffle", "$count($shuffle($split(input.text, '')))"],
    ["a catastrophic pattern", "$contains($pad('', 40, 'a') & 'b', /^(a+)+$/)"],
  ];

  test.each(sampleCases(expressions, 1))(
    "with %s over a large text fail or succeed within their limits",
    async (_name, expression) => {
      const text = "x".repeat(900_000);
      await own.deployAgent(`agent-${_name.replaceAll(/\W/g, "-")}`, {
        parametersMetadata: [{ name: "text", type: "String" }],
        flow: {
          steps: [{ id: "out", type: "Output", value: `{% ${expression} %}` }],
          edges: [],
        },
      });
      const path = `/agents/agent-${_name.replaceAll(/\W/g, "-")}:execute`;
      const response = await own.try("POST", path, { body: { input: { text } } });
      expect([200, 422]).toContain(response.status);
      if (response.status === 422) {
        expect(response.text).toMatch(/takes too long|more memory|too many|may be at most/);
      }
      const again = await own.try("POST", path, { body: { input: { text: "ab" } } });
      expect([200, 422]).toContain(again.status);
    },
  );
});

import { beforeAll, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { call, expectProblem, newOrganization } from "../harness/api.ts";

const Created = z.looseObject({ id: z.string() });
const Run = z.looseObject({
  subscriptionId: z.string(),
  status: z.string(),
  executionId: z.string().nullable(),
  isReplay: z.boolean(),
});
const Detail = z.looseObject({
  headers: z.record(z.string(), z.string()),
  payload: z.unknown(),
  bodyUrl: z.string().nullable(),
  results: z.array(z.looseObject({ executionId: z.string().nullable() })),
  runs: z.array(Run),
});
const Replay = z.object({
  runs: z.array(z.object({ subscriptionId: z.string(), executionId: z.string().nullable() })),
});

let own: Awaited<ReturnType<typeof newOrganization>>;
let webhook: string;
let key: string;

beforeAll(async () => {
  own = await newOrganization();
  key = await own.mintKey(["inbound:deliver"]);
  await own.deployAgent("listener", {
    parametersMetadata: [{ name: "event", type: "Json" }],
    flow: {
      steps: [{ id: "out", type: "Output", value: "{% input.event.payload.n %}" }],
      edges: [],
    },
  });
  webhook = Created.parse((await own.send("POST", "/webhooks", { provider: "generic" })).body).id;
});

const subscribe = async (more: object = {}) => {
  const body = { subscriberType: "Agent", subscriberId: "listener", ...more };
  return Created.parse((await own.send("POST", `/webhooks/${webhook}/subscriptions`, body)).body)
    .id;
};
const newest = async () => {
  const { body } = await own.send("GET", `/webhooks/${webhook}/deliveries?PageSize=1`);
  return z.looseObject({ items: z.array(Created) }).parse(body).items[0]?.id;
};
const deliver = async (body: unknown) => {
  const path = `${own.base}/webhooks/generic/${webhook}/${key}`;
  const before = await newest();
  expect((await call("POST", path, { body, headers: { "X-Custom": "kept" } })).status).toBe(204);
  return vi.waitFor(
    async () => {
      const id = await newest();
      if (id === undefined || id === before) throw new Error("the delivery is not listed yet");
      return id;
    },
    { timeout: 15_000 },
  );
};
const read = async (delivery: string) =>
  Detail.parse((await own.send("GET", `/webhooks/${webhook}/deliveries/${delivery}`)).body);
const settled = async (delivery: string, runs: number) => {
  await expect
    .poll(async () => {
      const detail = await read(delivery);
      return detail.runs.filter(({ status }) => status !== "Pending").length;
    })
    .toBe(runs);
  return read(delivery);
};

describe("a delivery", () => {
  test("shows headers without credentials, the payload, and every run; a replay names its new executions", async () => {
    const [first, second] = [await subscribe(), await subscribe()];
    const delivery = await deliver({ n: 1 });
    const before = await settled(delivery, 2);
    expect(before).toMatchObject({
      headers: { "x-custom": "kept" },
      payload: { n: 1 },
      bodyUrl: null,
    });
    expect(JSON.stringify(before)).not.toContain(key);

    const replayed = await own.send("POST", `/webhooks/${webhook}/deliveries/${delivery}:replay`);
    expect(replayed.status).toBe(202);
    const { runs } = Replay.parse(replayed.body);
    expect(runs.map(({ subscriptionId }) => subscriptionId)).toEqual([first, second]);
    const known = before.runs.map(({ executionId }) => executionId);
    expect(runs.filter(({ executionId }) => known.includes(executionId))).toEqual([]);

    const narrowed = await own.send("POST", `/webhooks/${webhook}/deliveries/${delivery}:replay`, {
      subscriptionId: second,
    });
    const [only, ...none] = Replay.parse(narrowed.body).runs;
    expect([only?.subscriptionId, none]).toEqual([second, []]);

    const after = await settled(delivery, 5);
    expect(after.runs.map(({ executionId }) => executionId).toSorted()).toEqual(
      [...known, ...runs.map(({ executionId }) => executionId), only?.executionId].toSorted(),
    );
    expect(after.runs.map(({ isReplay }) => isReplay)).toEqual([false, false, true, true, true]);
    expect(after.results).toHaveLength(2);
    for (const { executionId } of runs) {
      const { body } = await own.send("GET", `/agents/listener/execution-records/${executionId}`);
      expect(body).toMatchObject({ status: "Succeeded", output: 1, trigger: { type: 2 } });
    }
    const unknown = await own.try("POST", `/webhooks/${webhook}/deliveries/${delivery}:replay`, {
      body: { subscriptionId: delivery },
    });
    expect(expectProblem(unknown)).toMatchObject({ errors: [{ pointer: "/subscriptionId" }] });
  });

  test("of a sample event runs the subscribers as one of the provider does", {
    tags: "nightly",
  }, async () => {
    const before = await newest();
    const sent = await own.send("POST", `/webhooks/${webhook}:test`);
    expect(sent.status).toBe(202);
    const { deliveryId } = z.object({ deliveryId: z.string() }).parse(sent.body);
    await expect.poll(newest).not.toBe(before);
    const { runs } = await settled(deliveryId, 2);
    expect(runs).toHaveLength(2);
    expect(await read(deliveryId)).toMatchObject({ headers: { "wharf-test": "true" } });
  });

  test("with a large payload has a signed bodyUrl that reads it, and nothing else", {
    tags: "nightly",
  }, async () => {
    const text = "0123456789".repeat(150_000);
    const delivery = await deliver({ n: 2, text });
    const { payload, bodyUrl } = await read(delivery);
    expect(payload).toBeNull();
    const response = await fetch(bodyUrl ?? "");
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ n: 2, text });
    const other = new URL(bodyUrl ?? "");
    other.searchParams.set("X-Amz-Expires", "0");
    expect((await fetch(other)).status).toBe(403);
    expect((await fetch(bodyUrl ?? "", { method: "DELETE" })).status).toBe(403);
  });

  test("that does not exist is not found", async () => {
    const unknown = await own.try("GET", `/webhooks/${webhook}/deliveries/${webhook}`);
    expect(expectProblem(unknown).slug).toBe("not-found");
  });
});

describe("a subscription", () => {
  const patch = (id: string, body: unknown) =>
    own.try("PATCH", `/webhooks/${webhook}/subscriptions/${id}`, { body });

  test("is changed member by member, and null clears", async () => {
    const id = await subscribe({ eventTypes: ["a"], filter: "payload.n > 1" });
    const changed = await patch(id, { eventTypes: ["b"], input: { event: "{% payload %}" } });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).toMatchObject({
      id,
      eventTypes: ["b"],
      filter: "payload.n > 1",
      input: { event: "{% payload %}" },
    });
    const cleared = await patch(id, { filter: null, input: null });
    expect(cleared.body).toMatchObject({ eventTypes: ["b"], filter: null, input: null });
    const listed = await own.send("GET", `/webhooks/${webhook}/subscriptions`);
    expect(listed.body).toContainEqual(cleared.body);
    const removed = await own.try("DELETE", `/webhooks/${webhook}/subscriptions/${id}`);
    expect(removed.status).toBe(204);
    expect(expectProblem(await patch(id, { filter: null })).slug).toBe("not-found");
  });

  test("refuses an input that its agent does not declare, with the nearest one, when created and changed", {
    tags: "nightly",
  }, async () => {
    const input = { evnt: "{% payload %}", zebra: 1 };
    const body = { subscriberType: "Agent", subscriberId: "listener", input };
    const expected = {
      slug: "validation-failed",
      errors: [
        { pointer: "/input/evnt", detail: 'is not an input of the agent; did you mean "event"?' },
        { pointer: "/input/zebra", detail: "is not an input of the agent" },
      ],
    };
    const created = await own.try("POST", `/webhooks/${webhook}/subscriptions`, { body });
    expect(expectProblem(created)).toMatchObject(expected);
    const id = await subscribe();
    expect(expectProblem(await patch(id, { input }))).toMatchObject(expected);
    const broken = expectProblem(await patch(id, { filter: "payload." }));
    expect(broken).toMatchObject({ errors: [{ pointer: "/filter" }] });
  });

  test("is changed only by a caller who may run its agent", async () => {
    const id = await subscribe();
    const writer = await own.mintKey(["integrations:write"]);
    const refused = await own.try("PATCH", `/webhooks/${webhook}/subscriptions/${id}`, {
      token: undefined,
      key: writer,
      body: { filter: null },
    });
    expect(expectProblem(refused)).toMatchObject({ requiredScope: "agents:execute" });
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from "vitest";
import * as z from "zod";
import { call, newOrganization } from "../harness/api.ts";
import { startToolApi } from "../harness/tool-api.ts";
import { deployCaller } from "../suites/prepare-callback.ts";

/** Returns all log lines of the functions. */
const readLogs = (): string => {
  const logs = join(inject("stack").dataDir, "logs");
  return readdirSync(logs)
    .map((file) => readFileSync(join(logs, file), "utf8"))
    .join("");
};

const Executed = z.object({ executionId: z.string(), status: z.string() });
const Recorded = z.looseObject({
  status: z.string(),
  output: z.unknown(),
  startTime: z.number(),
  waits: z.array(z.looseObject({ path: z.string(), since: z.number(), until: z.number() })),
});

describe("an agent that waits", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;
  let api: Awaited<ReturnType<typeof startToolApi>>;
  beforeAll(async () => {
    api = await startToolApi();
  });
  beforeEach(async () => {
    own = await newOrganization();
  });
  afterAll(() => api.close());

  const execute = async (agentId: string, input: object = {}) =>
    Executed.parse((await own.try("POST", `/agents/${agentId}:execute`, { body: { input } })).body);
  const read = async (agentId: string, id: string) =>
    Recorded.parse((await own.send("GET", `/agents/${agentId}/execution-records/${id}`)).body);
  const readOutput = async (agentId: string, id: string) => {
    const ended = async () => (await read(agentId, id)).status;
    await expect.poll(ended, { timeout: 30_000 }).toBe("Succeeded");
    return (await read(agentId, id)).output;
  };

  test("for a callback continues with the body that a tool posts to the address, once", async () => {
    await deployCaller(own, api.url);
    const { executionId, status } = await execute("caller");
    expect(status).toBe("Waiting");
    const address = api.requests.at(-1)?.body ?? "";
    const { pathname } = new URL(address);
    const trace = await own.send("GET", `/agents/caller/execution-records/${executionId}/trace`);
    expect(trace.text).not.toContain(pathname.split("/").at(-1));
    expect((await call("POST", `${pathname}x`, { body: 1 })).status).toBe(404);
    const large = { text: "x".repeat(262_144) };
    expect((await call("POST", pathname, { body: large })).status).toBe(413);
    expect((await call("POST", pathname, { body: { paid: true } })).status).toBe(204);
    expect((await call("POST", pathname, { body: { paid: true } })).status).toBe(409);
    expect(await readOutput("caller", executionId)).toEqual({ paid: true });
  });

  test("shows and logs no token of an address, though the tool that it is sent to repeats it in an error", {
    tags: "nightly",
  }, async () => {
    const echo = await startToolApi(({ body }) => ({ status: 500, body: `no: ${body}` }));
    await deployCaller(own, echo.url);
    const events: string[] = [];
    const failed = await own.try("POST", "/agents/caller:execute", { body: {} });
    events.push(failed.text);
    const streamed = await call("POST", `${own.base}/agents/caller:execute`, {
      token: own.token,
      headers: { accept: "text/event-stream" },
      body: {},
    });
    events.push(streamed.text);
    await echo.close();
    const tokens = echo.requests.map(({ body }) => body.split("/").at(-1) ?? "");
    expect(tokens).toHaveLength(2);
    const executionId = z.object({ executionId: z.string() }).parse(failed.body).executionId;
    const paths = ["", `/${executionId}`, `/${executionId}/trace`];
    for (const path of paths) {
      events.push((await own.send("GET", `/agents/caller/execution-records${path}`)).text);
    }
    const pathname = new URL(echo.requests[0]?.body ?? "").pathname;
    const wrong = await call("POST", `${pathname}x`, { body: 1 });
    expect(wrong.status).toBe(404);
    const ended = await call("POST", pathname, { body: 1 });
    expect(ended.status).toBe(409);
    events.push(wrong.text, ended.text);
    const requestId = wrong.headers.get("x-request-id") ?? "none";
    const logs = await vi.waitFor(() => {
      const found = readLogs();
      expect(found).toContain(requestId);
      return found;
    });
    expect(logs).toContain(executionId);
    for (const token of tokens) {
      const [content = "", signature = ""] = token.split(".");
      expect(signature.length).toBeGreaterThan(20);
      for (const shown of [...events, logs]) {
        expect(shown).not.toContain(content);
        expect(shown).not.toContain(signature);
      }
    }
  });

  test("shows what it waits for and until when, without the waits that have ended", async () => {
    const { body } = await own.send("POST", "/webhooks", { provider: "generic" });
    const { id } = z.object({ id: z.string() }).parse(body);
    const key = await own.mintKey(["inbound:deliver"]);
    const steps = [
      { id: "day", type: "Wait", seconds: 86_400 },
      { id: "second", type: "Wait", seconds: 1 },
      { id: "paid", type: "Wait", event: { webhookId: id, match: "payload.order = 1" } },
      { id: "out", type: "Output", value: "{% steps.paid.output.payload %}" },
    ];
    const edges = steps.slice(0, 3).map((step) => ({ source: step.id, target: "out" }));
    await own.deployAgent("both", { flow: { steps, edges } });
    const { executionId } = await execute("both");
    const paths = async () => (await read("both", executionId)).waits.map(({ path }) => path);
    // The timer of a second ends without an answer. While the execution runs, it does not wait.
    const { startTime, waits } = await vi.waitFor(
      async () => {
        const record = await read("both", executionId);
        expect(record.waits).toMatchObject([
          { kind: "Timer", path: "day", approvalId: null },
          { kind: "Event", path: "paid", approvalId: null },
        ]);
        return record;
      },
      { timeout: 20_000 },
    );
    const [day] = waits;
    expect(day?.since).toBeGreaterThanOrEqual(startTime);
    expect(day?.until).toBeGreaterThanOrEqual(startTime + 86_400_000);
    expect(day?.until).toBeLessThanOrEqual((day?.since ?? 0) + 86_400_000);
    await call("POST", `${own.base}/webhooks/generic/${id}/${key}`, { body: { order: 1 } });
    await expect.poll(paths).toEqual(["day"]);
    await own.send("POST", `/agents/both/execution-records/${executionId}:cancel`);
    await expect.poll(paths).toEqual([]);
  });

  test("for an event of a webhook gets it, also one that came before its step", {
    tags: "nightly",
  }, async () => {
    const { body } = await own.send("POST", "/webhooks", { provider: "generic" });
    const { id } = z.object({ id: z.string() }).parse(body);
    const key = await own.mintKey(["inbound:deliver"]);
    const event = { webhookId: id, match: "payload.order = input.order" };
    await own.deployAgent("shipper", {
      parametersMetadata: [{ name: "order", type: "Integer" }],
      flow: {
        steps: [
          { id: "paid", type: "Wait", event },
          { id: "out", type: "Output", value: "{% steps.paid.output.payload %}" },
        ],
        edges: [{ source: "paid", target: "out" }],
      },
    });
    const pay = async (order: number) => {
      const sent = await call("POST", `${own.base}/webhooks/generic/${id}/${key}`, {
        body: { order },
      });
      expect(sent.status).toBe(204);
    };
    await pay(1);
    const [early, late] = [
      await execute("shipper", { order: 1 }),
      await execute("shipper", { order: 2 }),
    ];
    expect([early.status, late.status]).toEqual(["Waiting", "Waiting"]);
    expect(await readOutput("shipper", early.executionId)).toEqual({ order: 1 });
    await pay(2);
    expect(await readOutput("shipper", late.executionId)).toEqual({ order: 2 });
  });
});

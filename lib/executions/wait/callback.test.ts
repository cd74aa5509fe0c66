import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { ask, buildFlow, testWaiting } from "../../../test/harness/waiting.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import type { Json } from "../../values/json/json.ts";
import { readTrace } from "../read/read-execution.ts";
import { cancelExecution } from "../recover/cancel-execution.ts";
import { answerCallback, verifyCallback } from "./end-wait.ts";

const minute = 60_000;
const hook = (more: object = {}) => ({ id: "done", type: "Wait", callback: true, ...more });
const sendAway = { id: "send", type: "Prompt", prompt: "{% callbacks.done %}" };
const calling = (more: object = {}) =>
  buildFlow(
    [sendAway, hook(more), { id: "out", type: "Output", value: "{% steps.done.output %}" }],
    ["send>done", "done>out"],
  );

describe("an execution with a callback", () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });
  let world: ReturnType<typeof testWaiting>;
  beforeEach(() => {
    world = testWaiting(db);
  });

  const address = (at = 0): string => world.asked[at] ?? "";
  const readToken = (url: string) => {
    const [base, token = ""] = url.split("/callbacks/");
    expect(base).toBe(`http://localhost/v1/tenants/${world.tenantId}`);
    return token;
  };
  const post = async (url: string, body: Json) =>
    answerCallback(world.deps, {
      callback: await verifyCallback(world.deps, {
        tenantId: world.tenantId,
        token: readToken(url),
      }),
      answer: body,
    });
  const readOutput = async (agentId: string, executionId: string) =>
    (await world.read(agentId, executionId)).output?.output;

  test("waits for a request to its address, and continues with the body", async () => {
    await world.deploy("a", calling());
    const { execution } = await world.execute("a");
    expect(execution.status).toBe("Waiting");
    await post(address(), { ok: [1, 2] });
    await world.deliver();
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
    expect(await readOutput("a", execution.executionId)).toEqual({ ok: [1, 2] });
  });

  test("accepts null as a body, which is no end of its time", async () => {
    await world.deploy("a", calling());
    const { executionId } = (await world.execute("a")).execution;
    await post(address(), null);
    await world.deliver();
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
    expect(await readOutput("a", executionId)).toBeNull();
  });

  test("accepts one of several requests at the same time, and none after", async () => {
    await world.deploy("a", calling());
    const { executionId } = (await world.execute("a")).execution;
    const outcomes = await Promise.allSettled([1, 2, 3].map((body) => post(address(), body)));
    const accepted = outcomes.findIndex(({ status }) => status === "fulfilled") + 1;
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === "rejected" ? [outcome.reason] : [],
    );
    expect(refused).toHaveLength(2);
    for (const error of refused) expect(error).toMatchObject({ slug: "conflict" });
    await world.deliver();
    expect(await readOutput("a", executionId)).toBe(accepted);
    await expect(post(address(), 4)).rejects.toMatchObject({ slug: "conflict" });
  });

  test.each([
    ["soon after", []],
    ["after another wait", [{ id: "pause", type: "Wait", seconds: 600 }]],
  ])("accepts a request before its step, which is reached %s", async (_, between) => {
    const early = testWaiting(db);
    const posted: Promise<void>[] = [];
    world = early;
    early.asked.push = (...urls: string[]) => {
      posted.push(
        ...urls.filter((url) => url.includes("/callbacks/")).map((url) => post(url, "early")),
      );
      return Array.prototype.push.apply(early.asked, urls);
    };
    const steps = [
      sendAway,
      ...between,
      hook(),
      { id: "out", type: "Output", value: "{% steps.done.output %}" },
    ];
    const edges = steps.slice(1).map(({ id }, at) => `${steps[at]?.id}>${id}`);
    await early.deploy("a", buildFlow(steps, edges));
    const { executionId } = (await early.execute("a")).execution;
    await Promise.all(posted);
    expect(posted).toHaveLength(1);
    await early.deliver();
    await early.dueAfter(2_000);
    const isReached = between.length === 0;
    expect(await early.statuses("a")).toEqual([isReached ? "Succeeded" : "Waiting"]);
    await early.dueAfter(11 * minute);
    expect(await early.statuses("a")).toEqual(["Succeeded"]);
    expect(await readOutput("a", executionId)).toBe("early");
  });

  test("fails when no request came in time, or continues with null", async () => {
    await world.deploy("a", calling({ timeoutSeconds: 3_600 }));
    await world.deploy("b", calling({ timeoutSeconds: 3_600, onTimeout: "continue" }));
    await world.execute("a");
    await world.execute("b");
    await world.dueAfter(59 * minute);
    expect(await world.statuses("a")).toEqual(["Waiting"]);
    await world.dueAfter(2 * minute);
    expect(await world.statuses("a")).toEqual(["Failed"]);
    expect(await world.statuses("b")).toEqual(["Succeeded"]);
    await expect(post(address(), 1)).rejects.toMatchObject({ slug: "conflict" });
  });

  test("leads to the error edge of its wait when no request came in time, also in a sub-agent", {
    tags: "nightly",
  }, async () => {
    const value = "{% steps.done.error.slug %}";
    const late = { id: "late", type: "Output", value };
    const edges = [
      { source: "send", target: "done" },
      { source: "done", target: "never" },
      { source: "done", target: "late", on: "error" },
    ];
    const { flow, ...rest } = buildFlow(
      [sendAway, hook({ timeoutSeconds: 3_600 }), ask("never"), late],
      [],
    );
    await world.deploy("a", { ...rest, flow: { ...flow, edges } });
    await world.deploy("child", calling({ timeoutSeconds: 3_600 }));
    const call = { id: "call", type: "SubAgent", agentId: "child" };
    const caught = { id: "caught", type: "Output", value: "{% steps.call.error.slug %}" };
    const parent = buildFlow([call, ask("never"), caught], []);
    const ofCall = [
      { source: "call", target: "never" },
      { source: "call", target: "caught", on: "error" },
    ];
    await world.deploy("parent", { ...parent, flow: { ...parent.flow, edges: ofCall } });
    const { executionId } = (await world.execute("a")).execution;
    const above = (await world.execute("parent")).execution;
    await world.dueAfter(61 * minute);
    await world.deliver();
    expect(await readOutput("a", executionId)).toBe("execution-failed");
    expect(await world.statuses("child")).toEqual(["Failed"]);
    expect(await readOutput("parent", above.executionId)).toBe("execution-failed");
    expect(world.asked).not.toContain("asked never");
  });

  test("cancelled refuses the request", async () => {
    await world.deploy("a", calling());
    const { executionId } = (await world.execute("a")).execution;
    await cancelExecution(world.deps, { tenantId: world.tenantId, agentId: "a", executionId });
    await expect(post(address(), 1)).rejects.toMatchObject({ slug: "conflict" });
  });

  test("refuses forged addresses, and those of another tenant", async () => {
    await world.deploy("a", calling());
    await world.execute("a");
    const token = readToken(address());
    const [payload = "", signature = ""] = token.split(".");
    const other = Buffer.from(JSON.stringify(["a", "b", "c", "done"])).toString("base64url");
    const verify = (forged: string, tenantId = world.tenantId) =>
      verifyCallback(world.deps, { tenantId, token: forged });
    for (const forged of ["", ".", payload, `${payload}.`, `${other}.${signature}`, `${token}x`]) {
      await expect(verify(forged), forged).rejects.toMatchObject({ slug: "not-found" });
    }
    await expect(verify(token, testWaiting(db).tenantId)).rejects.toMatchObject({
      slug: "not-found",
    });
  });

  test("shows no address in its trace", async () => {
    await world.deploy("a", calling());
    const { executionId } = (await world.execute("a")).execution;
    await post(address(), "done");
    await world.deliver();
    const trace = await readTrace(world.deps, {
      tenantId: world.tenantId,
      agentId: "a",
      executionId,
      now: world.tenant.ctx.clock(),
    });
    const shown = JSON.stringify(trace);
    expect(shown).toContain("/callbacks/");
    expect(shown).not.toContain(readToken(address()));
    expect(shown).not.toContain(readToken(address()).split(".")[1]);
  });

  test("writes no token to its record or events when a step with the address fails", async () => {
    world = testWaiting(db, (prompt) => {
      throw new UpstreamError(`cannot reach ${prompt}`, {
        upstream: "test",
        upstreamStatus: 500,
        responseExcerpt: prompt,
      });
    });
    await world.deploy("a", calling());
    const sent = await world.stream("a");
    await world.deliver();
    const token = readToken(address());
    const [item] = await world.list("a");
    const read = await world.read("a", item?.id ?? "");
    const shown = JSON.stringify([sent, world.events, item, read.output]);
    expect(shown).toContain("cannot reach");
    expect(shown).not.toContain(token);
    expect(shown).not.toContain(token.split(".")[1]);
  });

  test("of a sub-agent that runs for each item has its own address", {
    tags: "nightly",
  }, async () => {
    await world.deploy("child", calling());
    const forEach = {
      id: "all",
      type: "ForEach",
      items: [1, 2],
      step: { type: "SubAgent", agentId: "child" },
    };
    await world.deploy("a", buildFlow([forEach], []));
    const { executionId } = (await world.execute("a")).execution;
    expect(new Set(world.asked).size).toBe(2);
    await post(address(1), "second");
    await world.deliver();
    expect(await world.statuses("a")).toEqual(["Waiting"]);
    await post(address(0), "first");
    await world.deliver();
    expect(await world.statuses("a")).toEqual(["Succeeded"]);
    expect(await readOutput("a", executionId)).toEqual(["first", "second"]);
  });

  test("reads nothing more where no expression reads its address", {
    tags: "nightly",
  }, async () => {
    await world.deploy("a", buildFlow([ask("x"), hook()], ["x>done"]));
    await world.deploy(
      "b",
      buildFlow([ask("x"), { id: "w", type: "Wait", seconds: 600 }], ["x>w"]),
    );
    const countReads = async (agentId: string) => {
      db.calls.length = 0;
      await world.execute(agentId);
      return db.calls.filter((call) => call === "GetItem").length;
    };
    await countReads("a");
    await countReads("b");
    // The answer is read when the step is reached.
    expect(await countReads("a")).toBe((await countReads("b")) + 1);
  });

  test("names a misspelled step when the revision is created", async () => {
    const flow = buildFlow([{ ...sendAway, prompt: "{% callbacks.don %}" }, hook()], ["send>done"]);
    await expect(world.deploy("a", flow)).rejects.toMatchObject({
      message: expect.stringMatching(/^.flow.steps.0.prompt: .*did you mean "done"/),
    });
  });

  test("cannot be the step of a ForEach, where nothing could send its address", async () => {
    const forEach = { id: "all", type: "ForEach", items: [1], step: hook() };
    await expect(world.deploy("a", buildFlow([forEach], []))).rejects.toMatchObject({
      message: expect.stringMatching(/^.flow.steps.0.step.callback: /),
    });
  });
});

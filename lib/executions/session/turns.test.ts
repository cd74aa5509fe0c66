import { beforeAll, describe, expect, test } from "vitest";
import type { Respond } from "../../../test/harness/execution.ts";
import { calls, textResult } from "../../../test/harness/flow.ts";
import { chat, prompt, startSession, toLine } from "../../../test/harness/session.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testWaiting } from "../../../test/harness/waiting.ts";
import type { ModelMessage } from "../../engine/models/model.ts";
import { transact } from "../../platform/db/transact.ts";
import { endApproval, listApprovals } from "../approvals/approval-store.ts";
import { readTrace } from "../read/read-execution.ts";
import { endWait } from "../wait/end-wait.ts";
import { deleteSession } from "./delete-session.ts";
import { sessionKey, toSessionPlace } from "./keys.ts";
import { changeSession, getSession } from "./session-store.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

const start = (content?: object, respond?: Respond) => startSession(db, content, respond);
const flow = (steps: object[], edges: object[] = []) => chat({ flow: { steps, edges } });

/** Calls `calculate` for a prompt, and answers with the result. */
const calculates: Respond = (text) =>
  text === "" ? "It is 2." : calls(["calculate", { expression: "1 + 1" }]);

describe("a turn", () => {
  const withTool = [prompt("ask", "{% input.message %}", { tools: ["calculate"] })];

  test("has the tool calls of the model and their results, and is seen whole", {
    tags: "nightly",
  }, async () => {
    const { runTurn, seen, lines } = await start(flow(withTool), calculates);
    await runTurn("How much?");
    const turn = [
      "user: How much?",
      'assistant: calculate({"expression":"1 + 1"})',
      "tool: calculate=2",
      "assistant: It is 2.",
    ];
    expect(await lines()).toEqual(turn);
    await runTurn("And now?");
    expect(seen[2]).toEqual([...turn, "user: And now?"]);
  });

  test("is text to a Prompt without tools: services refuse tool calls there", {
    tags: "nightly",
  }, async () => {
    const world = await start(flow(withTool), calculates);
    await world.runTurn("How much?");
    await world.deploy("a", chat());
    await world.runTurn("");
    expect(world.seen.at(-1)).toEqual([
      "user: How much?",
      'assistant: Called the tool calculate with {"expression":"1 + 1"}.',
      "user: Results of tools:\ncalculate: 2",
      "assistant: It is 2.",
      "user: ",
    ]);
  });

  test("has the messages of several Prompts as they finished, then an output that is another text", async () => {
    const { runTurn, lines } = await start(
      flow(
        [
          prompt("first", "1 {% input.message %}"),
          prompt("second", "2 {% steps.first.output %}"),
          { id: "out", type: "Output", value: "done: {% steps.second.output %}" },
        ],
        [
          { source: "first", target: "second" },
          { source: "second", target: "out" },
        ],
      ),
    );
    await runTurn("go");
    expect(await lines()).toEqual([
      "user: 1 go",
      "assistant: 1 go!",
      "user: 2 1 go!",
      "assistant: 2 1 go!!",
      "assistant: done: 2 1 go!!",
    ]);
  });

  test("is the input and the output of a flow without Prompts", { tags: "nightly" }, async () => {
    const { runTurn, lines } = await start(
      flow([{ id: "out", type: "Output", value: "{% $uppercase(input.message) %}" }]),
    );
    await runTurn("go");
    expect(await lines()).toEqual(["user: go", "assistant: GO"]);
  });

  test("has no secret input, in texts, tool calls and results", async () => {
    const secret = "sk-4711-very-secret";
    const world = await start(
      {
        ...flow([prompt("ask", "{% input.message & input.key %}", { tools: ["calculate"] })]),
        parametersMetadata: [
          { name: "message", type: "String" },
          { name: "key", type: "String", secret: true },
        ],
      },
      (text) => (text === "" ? `You said ${secret}` : calls(["calculate", { expression: secret }])),
    );
    await world.execute("a", { input: { message: "m ", key: secret }, session: { id: "s" } });
    const lines = await world.lines();
    expect(lines.map((line) => line.slice(0, 10))).toEqual([
      "user: m **",
      "assistant:",
      "tool: calc",
      "assistant:",
    ]);
    expect(lines.join()).not.toContain(secret);
    const stored = [...world.tenant.deps.objects.all.values()].map(String).join();
    expect(stored).not.toContain(secret);
  });

  test("that is large is in the bucket, and one that is too large keeps the texts alone", {
    tags: "nightly",
  }, async () => {
    const random = () => Array.from({ length: 2_000 }, () => Math.random().toString(36)).join("");
    const long = random();
    const { runTurn, seen, tenant, deploy } = await start(chat(), () => long);
    await runTurn("long");
    const names = [...tenant.deps.objects.all.keys()].filter((name) => name.includes("/TURN-"));
    expect(names).toHaveLength(1);
    await runTurn("next");
    expect(seen[1]).toEqual(["user: long", `assistant: ${long}`, "user: next"]);
    const steps = Array.from({ length: 60 }, (_, at) => prompt(`p${at}`, "{% input.message %}"));
    await deploy("a", chat({ flow: { steps, edges: [] } }));
    await runTurn("many", { id: "other" });
    await deploy("a", chat());
    await runTurn("after", { id: "other" });
    const last = seen.at(-1) ?? [];
    expect(last).toHaveLength(3);
    expect(last[0]).toBe("user: many");
    expect(last[1]?.length).toBeLessThan(110_000);
  });

  test("is not added to a session that is deleted while the execution runs; the next one begins another", async () => {
    const onRun: (() => Promise<void>)[] = [];
    const { runTurn, lines, deps, place } = await start(chat(), async (text) => {
      await onRun.shift()?.();
      return `${text}!`;
    });
    await runTurn("one");
    onRun.push(() => deleteSession(deps, { place, sessionId: "s", authorize: () => undefined }));
    expect(await runTurn("two")).toMatchObject({ output: "two!" });
    expect(await lines()).toEqual([]);
    expect(await getSession(db, place)).toBeUndefined();
    await runTurn("three");
    expect(await lines()).toEqual(["user: three", "assistant: three!"]);
  });
});

describe("the first turn of a session", () => {
  test("does not come back in the session that the next execution begins after a deletion", async () => {
    const onRun: (() => Promise<unknown>)[] = [];
    const { runTurn, lines, deps, place, work, tenant } = await start(chat(), async (text) => {
      await onRun.shift()?.();
      return `${text}!`;
    });
    onRun.push(async () => {
      await runTurn("two", { id: "s" }, 0);
      await deleteSession(deps, { place, sessionId: "s", authorize: () => undefined });
      expect(tenant.sent.splice(0)).toMatchObject([{ type: "purge-session" }]);
    });
    await runTurn("one");
    expect(await lines()).toEqual([]);
    await work();
    expect(await lines()).toEqual(["user: two", "assistant: two!"]);
  });
});

describe("an execution that waits", () => {
  test("keeps its session; a Prompt that continues after a wait sees what it saw before, and its turn is whole", {
    tags: "nightly",
  }, async () => {
    const seen: string[][] = [];
    const world = testWaiting(db);
    const { deps } = world;
    const models = deps.modelsFor(world.tenantId);
    deps.modelsFor = () => ({
      resolve: async (id) => {
        const provider = await models.resolve(id);
        const respond = (last: ModelMessage | undefined) =>
          last?.role === "user" && last.text === "pay"
            ? calls(["calculate", { expression: "1 + 1" }])
            : textResult("fine");
        return (
          provider && {
            ...provider,
            generate: async ({ messages }) => {
              seen.push(messages.map(toLine));
              return respond(messages.at(-1));
            },
          }
        );
      },
    });
    const tools = [{ toolId: "calculate", approval: true }];
    await world.deploy("a", flow([prompt("ask", "{% input.message %}", { tools })]));
    const runTurn = async (message: string) =>
      (await world.execute("a", { input: { message }, session: { id: "s" } }, 1_000)).execution;
    await runTurn("hello");
    const paying = await runTurn("pay");
    expect(paying.status).toBe("Waiting");
    const place = toSessionPlace(world.tenantId, "a", "s");
    expect(await getSession(db, place)).toMatchObject({ holder: paying.executionId });
    const next = await world.execute("a", { input: { message: "next" }, session: { id: "s" } }, 0);
    expect(next.execution.status).toBe("Queued");
    await world.deliver();
    expect(seen).toHaveLength(2);
    const [approval] = await Array.fromAsync(listApprovals(db, world.tenantId));
    if (!approval) throw new Error("there is no approval");
    const decidedAt = world.tenant.ctx.clock();
    await endWait(deps, {
      tenantId: world.tenantId,
      root: approval.root,
      executionId: approval.executionId,
      path: approval.path,
      answer: { action: "approve", fields: {}, comment: null, decidedBy: "ada", decidedAt },
      writes: [endApproval(world.tenantId, approval, { status: "Decided", decidedAt })],
    });
    await world.deliver();
    const first = ["user: hello", "assistant: fine"];
    const second = [
      "user: pay",
      'assistant: calculate({"expression":"1 + 1"})',
      "tool: calculate=2",
      "assistant: fine",
    ];
    expect(seen.slice(2)).toEqual([
      [...first, ...second.slice(0, 3)],
      [...first, ...second, "user: next"],
    ]);
    expect(await getSession(db, place)).toMatchObject({ turnCount: 3, queue: [] });
  });
});

describe("sessionPolicy", () => {
  const policy = (sessionPolicy: object) => chat({ sessionPolicy });

  test("drop removes the oldest turns beyond maxTurns, and their objects", {
    tags: "nightly",
  }, async () => {
    const long = Array.from({ length: 2_000 }, () => Math.random().toString(36)).join("");
    const world = await start(policy({ maxTurns: 2 }), (text) =>
      text === "1" ? `${long}` : `${text}!`,
    );
    for (const text of ["1", "2", "3"]) await world.runTurn(text);
    expect(await world.lines()).toEqual(["user: 2", "assistant: 2!", "user: 3", "assistant: 3!"]);
    const names = [...world.tenant.deps.objects.all.keys()].filter((name) =>
      name.includes("/TURN-"),
    );
    expect(names).toEqual([]);
    await world.runTurn("4");
    expect(world.seen.at(-1)?.[0]).toBe("user: 2");
    expect(await getSession(db, world.place)).toMatchObject({ turnCount: 4 });
  });

  test("maxTokens counts the tokens of the turns that are kept", async () => {
    const { runTurn, seen } = await start(policy({ maxTokens: 100 }));
    for (const text of ["x".repeat(300), "short", "last"]) await runTurn(text);
    expect(seen.at(-1)).toEqual(["user: short", "assistant: short!", "user: last"]);
  });

  test("retentionDays removes turns after so many days", { tags: "nightly" }, async () => {
    const { runTurn, seen, tenant } = await start(policy({ retentionDays: 1 }));
    await runTurn("one");
    tenant.advance(0.6 * 86_400_000);
    await runTurn("two");
    tenant.advance(0.6 * 86_400_000);
    await runTurn("three");
    expect(seen.at(-1)).toEqual(["user: two", "assistant: two!", "user: three"]);
    tenant.advance(1.1 * 86_400_000);
    await runTurn("four");
    expect(seen.at(-1)).toEqual(["user: four"]);
  });

  const summarizes: Respond = (text, { system }) =>
    system?.startsWith("Summarize") ? "They counted." : `${text}!`;

  test("summarize replaces the older half by a summary, once, in a span with its cost", {
    tags: "nightly",
  }, async () => {
    const world = await start(policy({ maxTurns: 2, onOverflow: "summarize" }), summarizes);
    const { runTurn, seen, lines, deps, tenantId, read } = world;
    for (const text of ["1", "2", "3"]) await runTurn(text);
    expect(seen).toHaveLength(3);
    const { executionId } = await runTurn("4");
    expect(seen[3]?.[0]).toContain("user: 1");
    expect(seen[4]).toEqual([
      "user: Summarize our conversation so far.",
      "assistant: They counted.",
      "user: 3",
      "assistant: 3!",
      "user: 4",
    ]);
    expect((await read("a", executionId)).item).toMatchObject({ totalCost: 0.02 });
    const now = deps.runtime.clock();
    const trace = await readTrace(deps, { tenantId, agentId: "a", executionId, now });
    expect(JSON.stringify(trace)).toContain('"Session summary"');
    await runTurn("5");
    expect(seen).toHaveLength(6);
    expect(seen[5]?.slice(0, 2)).toEqual(seen[4]?.slice(0, 2));
    expect((await lines()).slice(0, 2)).toEqual(seen[4]?.slice(0, 2));
  });

  test.each([
    ["is held by another execution", { holder: "another" }],
    ["was deleted", { instance: "another", createdAt: undefined }],
  ])(
    "a summary is not stored in a session that %s when it is made",
    { tags: "nightly" },
    async (_, change) => {
      const onSummary: (() => Promise<unknown>)[] = [];
      const world = await start(
        policy({ maxTurns: 2, onOverflow: "summarize" }),
        async (text, request) => {
          if (request.system?.startsWith("Summarize")) await onSummary.shift()?.();
          return summarizes(text, request);
        },
      );
      const { runTurn, place } = world;
      for (const text of ["1", "2", "3"]) await runTurn(text);
      onSummary.push(async () => {
        const seen = await getSession(db, place);
        if (seen) await transact(db, [changeSession(place, seen, change)]);
      });
      await runTurn("4");
      expect(onSummary).toEqual([]);
      const keys = (await db.scan())
        .filter(({ pk }) => pk === sessionKey(place).pk)
        .map(({ sk }) => String(sk).split("#").slice(3).join("#"));
      const turns = ["TURN#0000000000", "TURN#0000000001", "TURN#0000000002"];
      expect(keys.filter(Boolean).toSorted()).toEqual(turns);
    },
  );

  test("a summary that fails leaves the older turns out, and the next execution makes it", {
    tags: "nightly",
  }, async () => {
    let isBroken = true;
    const world = await start(policy({ maxTurns: 2, onOverflow: "summarize" }), (text, request) => {
      if (request.system?.startsWith("Summarize") && isBroken) throw new Error("no");
      return summarizes(text, request);
    });
    for (const text of ["1", "2", "3", "4"]) await world.runTurn(text);
    expect(world.seen.at(-1)).toEqual([
      "user: 2",
      "assistant: 2!",
      "user: 3",
      "assistant: 3!",
      "user: 4",
    ]);
    isBroken = false;
    await world.runTurn("5");
    expect(world.seen.at(-1)?.slice(0, 2)).toEqual([
      "user: Summarize our conversation so far.",
      "assistant: They counted.",
    ]);
  });
});

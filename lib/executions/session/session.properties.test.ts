import fc from "fast-check";
import { expect, test } from "vitest";
import * as z from "zod";
import { testExecutions } from "../../../test/harness/execution.ts";
import { mortalFunctions } from "../../../test/harness/mortal.ts";
import { purgeSent } from "../../../test/harness/purge.ts";
import { propertyRuns } from "../../../test/harness/runs.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { deleteAgent } from "../../agents/agent/delete-agent.ts";
import { getAgent } from "../../agents/agent/store.ts";
import { agentTombstones } from "../../agents/agent/tombstone.ts";
import { listAll } from "../../platform/db/list-page.ts";
import { getTombstone } from "../../platform/deletion/tombstone.ts";
import type { ExecutionDeps } from "../job/job.ts";
import { RunExecutionMessage } from "../messages.ts";
import { isOpen } from "../record/execution-record.ts";
import { getExecution } from "../record/store.ts";
import { cancelExecution } from "../recover/cancel-execution.ts";
import { continueExecutions } from "../recover/continue-executions.ts";
import { deleteSession } from "./delete-session.ts";
import { sessionsLists, toSessionPlace } from "./keys.ts";
import { listSessionMessages } from "./load-session.ts";
import { getSession } from "./session-store.ts";

let db: TestDatabase;
/** Gives each run a table of its own: recovery reads all open executions of a table, with those of earlier runs. */
const renewTable = async (): Promise<void> => {
  db?.client.destroy();
  db = await testDatabase();
};

const noSchedules = { put: async () => undefined, remove: async () => undefined };

const agent = {
  parametersMetadata: [{ name: "message", type: "String" }],
  flow: {
    steps: [
      { id: "ask", type: "Prompt", llm: { providerId: "test" }, prompt: "{% input.message %}" },
    ],
    edges: [],
  },
  useSession: true,
};

type Step =
  /** Executions of the session at the same time, for workers; a repeated one has the id of an earlier request. */
  | { type: "send"; count: number; repeats: boolean }
  /** A worker takes the next message; `copies`: it is delivered more than once, at the same time. */
  | { type: "work"; copies: number }
  /** A worker dies at a call that changes something, before or after the call takes effect, and its message is lost. */
  | { type: "crash"; at: number; isDone: boolean }
  /** The next message is lost: its worker crashed before it began, or it was never sent. */
  | { type: "lose" }
  | { type: "recover" }
  | { type: "cancel"; at: number }
  | { type: "delete" }
  /** The next run has its session deleted between its start and its end. */
  | { type: "delete-in-run" }
  /** The agent is deleted directly before the transaction that ends the next run. */
  | { type: "delete-agent" };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    type: fc.constant("send" as const),
    count: fc.integer({ min: 1, max: 3 }),
    repeats: fc.boolean(),
  }),
  fc.record({ type: fc.constant("work" as const), copies: fc.integer({ min: 1, max: 2 }) }),
  fc.record({
    type: fc.constant("crash" as const),
    at: fc.integer({ min: 1, max: 6 }),
    isDone: fc.boolean(),
  }),
  fc.record({ type: fc.constant("lose" as const) }),
  fc.record({ type: fc.constant("recover" as const) }),
  fc.record({ type: fc.constant("cancel" as const), at: fc.nat(20) }),
  fc.record({ type: fc.constant("delete" as const) }),
  fc.record({ type: fc.constant("delete-in-run" as const) }),
);

/** The steps; every other time the agent is deleted after some of them, and the others meet a deleted agent. */
const steps: fc.Arbitrary<Step[]> = fc
  .tuple(fc.array(step, { minLength: 3, maxLength: 12 }), fc.option(fc.nat(12)))
  .map(([all, at]) => (at === null ? all : all.toSpliced(at, 0, { type: "delete-agent" })));

test("no turn of a session is doubled, lost, reordered or brought back, whatever interleaves", {
  tags: "nightly",
}, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      await renewTable();
      const running = { now: 0, most: 0 };
      /** Steps to take while the next run asks its model. */
      const inNextRun: ((prompt: string) => Promise<void>)[] = [];
      const world = testExecutions(db, async (prompt) => {
        running.now += 1;
        running.most = Math.max(running.most, running.now);
        await new Promise(setImmediate);
        await inNextRun.shift()?.(prompt);
        running.now -= 1;
        return `${prompt}!`;
      });
      const { deps, tenant, tenantId, execute, recover, deploy } = world;
      await deploy("a", agent);
      const place = toSessionPlace(tenantId, "a", "s");
      const sent: { text: string; id: string; batch: number }[] = [];
      const deleted = new Set<string>();
      const purges: unknown[] = [];
      const hasAgent = async () => (await getAgent(db, tenantId, "a")) !== undefined;
      const isPurged = async () =>
        (await getTombstone(db, agentTombstones, { tenantId, agentId: "a" })) === undefined;
      const listUserTexts = async () => {
        const now = tenant.ctx.clock();
        const { messages } = await listSessionMessages(tenant.deps, { place, now });
        return messages.flatMap(({ message }) => (message.role === "user" ? [message.text] : []));
      };
      const take = async (copies: number, withDeps: ExecutionDeps = deps) => {
        const message = tenant.sent.shift();
        const { data } = RunExecutionMessage.safeParse(message);
        if (!data) {
          purges.push(message);
          return;
        }
        const deadline = tenant.ctx.clock() + 900_000;
        await Promise.all(
          Array.from({ length: copies }, () =>
            continueExecutions(withDeps, { message: data, deadline }),
          ),
        );
      };
      const passTime = async () => {
        tenant.advance(1_200_000);
        for (const message of purges.splice(0)) await purgeSent(world, message);
        await recover();
      };
      /** Deletes the session with its turns, and that of the execution which has it. */
      const removeSession = async () => {
        const before = await listUserTexts();
        const holder = (await getSession(db, place))?.holder;
        const deletion = { place, sessionId: "s", authorize: () => undefined };
        const isDeleted = await deleteSession(deps, deletion).then(
          () => true,
          () => false,
        );
        if (!isDeleted) return;
        const held = sent.flatMap(({ id, text }) => (id === holder ? [text] : []));
        for (const text of [...before, ...held]) deleted.add(text);
        expect(await listUserTexts()).toEqual([]);
      };
      const run = async (next: Step): Promise<void> => {
        switch (next.type) {
          case "send": {
            if (!(await hasAgent())) return;
            const batch = sent.length;
            const started = await Promise.all(
              Array.from({ length: next.count }, async (_, at) => {
                const text = `m${batch + at}`;
                const body = { input: { message: text }, session: { id: "s" } };
                const started = await execute("a", body, 0).catch(async (error: unknown) => {
                  if (await hasAgent()) throw error;
                });
                return started ? [{ text, id: started.execution.executionId, batch }] : [];
              }),
            );
            sent.push(...started.flat());
            const again = started[0]?.[0];
            if (!next.repeats || !again || !(await hasAgent())) return;
            const once = { token: "unused", earlier: [again.id] };
            await execute("a", { session: { id: "s" } }, 0, deps, once);
            return;
          }
          case "work":
            return take(next.copies);
          case "crash": {
            const { run: runMortal } = mortalFunctions(next);
            await runMortal({ ...deps, schedules: noSchedules }, (own) => take(1, own));
            return;
          }
          case "lose":
            tenant.sent.shift();
            return;
          case "recover":
            return passTime();
          case "cancel": {
            const one = sent[next.at];
            const key = { tenantId, agentId: "a", executionId: one?.id ?? "" };
            if (one) await cancelExecution(deps, key).catch(() => undefined);
            return;
          }
          case "delete":
            return removeSession();
          case "delete-in-run":
            inNextRun.push(removeSession);
            return;
          case "delete-agent":
            inNextRun.push(async () => {
              db.beforeNext("TransactWriteItems", () => deleteAgent(deps, place));
            });
        }
      };
      for (const next of steps) await run(next);
      const find = () => Promise.all(sent.map(({ id }) => getExecution(db, tenantId, "a", id)));
      db.beforeNext("none", async () => undefined);
      for (let round = 0; round < 60; round += 1) {
        while (tenant.sent.length > 0) await take(1);
        const found = await find();
        const isEnded = found.every((one) => !one || (!isOpen(one.item) && !one.lease));
        if (isEnded && ((await hasAgent()) || (await isPurged()))) break;
        // A lost message of a purge is sent again by another deletion.
        if (!(await hasAgent())) await deleteAgent(deps, place).catch(() => undefined);
        await passTime();
      }
      expect(running.most).toBeLessThanOrEqual(1);
      expect((await getSession(db, place))?.holder).toBeUndefined();
      if (!(await hasAgent())) {
        expect((await find()).filter(Boolean)).toEqual([]);
        const lists = sessionsLists(tenantId, "a").map((list) => listAll(db, z.unknown(), list));
        expect(await Promise.all(lists.map((list) => Array.fromAsync(list)))).toEqual(
          lists.map(() => []),
        );
        inNextRun.length = 0;
        await deploy("a", agent);
        await execute("a", { input: { message: "new" }, session: { id: "s" } });
        expect(await listUserTexts()).toEqual(["new"]);
        return;
      }
      const hasCrash = steps.some(({ type }) => type === "crash");
      const records = await Promise.all(sent.map(({ id }) => world.read("a", id)));
      // One that died may time out before another worker continues it.
      const mayEnd = ["Succeeded", "Cancelled", ...(hasCrash ? ["TimedOut"] : [])];
      const statuses = records.map(({ item }) => item.status);
      expect(statuses.filter((one) => !mayEnd.includes(one))).toEqual([]);
      const kept = await listUserTexts();
      const expected = sent.filter(
        ({ text }, at) => statuses[at] === "Succeeded" && !deleted.has(text),
      );
      expect(kept.toSorted()).toEqual(expected.map(({ text }) => text).toSorted());
      const batches = kept.map((text) => sent.find((one) => one.text === text)?.batch ?? 0);
      expect(batches).toEqual(batches.toSorted((one, other) => one - other));
    }),
    { numRuns: propertyRuns(500, 25), endOnFailure: true },
  );
});

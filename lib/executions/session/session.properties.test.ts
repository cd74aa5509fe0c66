import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { testExecutions } from "../../../test/harness/execution.ts";
import { mortalFunctions } from "../../../test/harness/mortal.ts";
import { propertyRuns } from "../../../test/harness/runs.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import type { ExecutionDeps } from "../job/job.ts";
import { RunExecutionMessage } from "../messages.ts";
import { isOpen } from "../record/execution-record.ts";
import { getExecution } from "../record/store.ts";
import { cancelExecution } from "../recover/cancel-execution.ts";
import { continueExecutions } from "../recover/continue-executions.ts";
import { deleteSession } from "./delete-session.ts";
import { toSessionPlace } from "./keys.ts";
import { listSessionMessages } from "./load-session.ts";
import { getSession } from "./session-store.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});

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
  | { type: "delete" };

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
);

test("no turn of a session is doubled, lost or brought back, whatever interleaves", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const running = { now: 0, most: 0 };
      const world = testExecutions(db, async (prompt) => {
        running.now += 1;
        running.most = Math.max(running.most, running.now);
        await new Promise(setImmediate);
        running.now -= 1;
        return `${prompt}!`;
      });
      const { deps, tenant, tenantId, execute, recover, deploy } = world;
      await deploy("a", agent);
      const place = toSessionPlace(tenantId, "a", "s");
      const sent: { text: string; id: string }[] = [];
      const deleted = new Set<string>();
      const list = async () =>
        (await listSessionMessages(tenant.deps, { place, now: tenant.ctx.clock() })).messages;
      const said = async () =>
        (await list()).flatMap(({ message }) => (message.role === "user" ? [message.text] : []));
      const take = async (copies: number, withDeps: ExecutionDeps = deps) => {
        const message = tenant.sent.shift();
        const { data } = RunExecutionMessage.safeParse(message);
        if (!data) return;
        const deadline = tenant.ctx.clock() + 900_000;
        await Promise.all(
          Array.from({ length: copies }, () =>
            continueExecutions(withDeps, { message: data, deadline }),
          ),
        );
      };
      const run = async (next: Step): Promise<void> => {
        switch (next.type) {
          case "send": {
            const first = sent.length;
            const started = await Promise.all(
              Array.from({ length: next.count }, async (_, at) => {
                const text = `m${first + at}`;
                const { execution } = await execute(
                  "a",
                  { input: { message: text }, session: { id: "s" } },
                  0,
                );
                return { text, id: execution.executionId };
              }),
            );
            sent.push(...started);
            const again = started[0];
            if (!next.repeats || !again) return;
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
            tenant.advance(1_200_000);
            await recover();
            return;
          case "cancel": {
            const one = sent[next.at];
            const key = { tenantId, agentId: "a", executionId: one?.id ?? "" };
            if (one) await cancelExecution(deps, key).catch(() => undefined);
            return;
          }
          case "delete": {
            const before = await said();
            const deletion = { sessionId: "s", authorize: () => undefined };
            await deleteSession(deps, { place, ...deletion }).then(
              () => {
                for (const text of before) deleted.add(text);
              },
              () => undefined,
            );
            expect(await said()).toEqual([]);
          }
        }
      };
      for (const next of steps) await run(next);
      for (let round = 0; round < 60; round += 1) {
        while (tenant.sent.length > 0) await take(1);
        const found = await Promise.all(sent.map(({ id }) => getExecution(db, tenantId, "a", id)));
        if (found.every((one) => one && !isOpen(one.item) && one.lease === undefined)) break;
        tenant.advance(1_200_000);
        await recover();
      }
      const hasCrash = steps.some(({ type }) => type === "crash");
      const records = await Promise.all(sent.map(({ id }) => world.read("a", id)));
      const status = new Map(records.map(({ item }, at) => [sent[at]?.text ?? "", item.status]));
      // One that died may time out before another worker continues it.
      const mayEnd = ["Succeeded", "Cancelled", ...(hasCrash ? ["TimedOut"] : [])];
      expect([...status.values()].filter((one) => !mayEnd.includes(one))).toEqual([]);
      const kept = await said();
      expect(new Set(kept).size).toBe(kept.length);
      for (const text of kept) {
        expect(status.get(text)).toBe("Succeeded");
        expect(deleted.has(text)).toBe(false);
      }
      // Without a deletion, every succeeded execution has its turn.
      if (!steps.some(({ type }) => type === "delete")) {
        const succeeded = [...status]
          .filter(([, one]) => one === "Succeeded")
          .map(([text]) => text);
        expect([...kept].sort()).toEqual(succeeded.sort());
      }
      expect(running.most).toBeLessThanOrEqual(1);
      expect((await getSession(db, place))?.holder).toBeUndefined();
    }),
    { numRuns: propertyRuns(1_000, 25), endOnFailure: true },
  );
});

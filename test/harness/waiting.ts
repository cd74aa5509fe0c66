import { expect } from "vitest";
import type { Schedule, Schedules } from "../../lib/agents/schedule/schedules.ts";
import type { ExecutionDeps } from "../../lib/executions/job/job.ts";
import {
  RunExecutionMessage,
  SendChatReplyMessage,
  WakeExecutionMessage,
} from "../../lib/executions/messages.ts";
import { continueExecutions } from "../../lib/executions/recover/continue-executions.ts";
import { resumeConnected } from "../../lib/executions/wait/end-wait.ts";
import { wakeExecution } from "../../lib/executions/wait/wake-execution.ts";
import { ResumeConnectedMessage } from "../../lib/integrations/messages.ts";
import { PurgePersonMessage } from "../../lib/memory/messages.ts";
import { PublishEventMessage } from "../../lib/notifications/messages.ts";
import type { OrganizationEvent } from "../../lib/platform/outbox/organization-event.ts";
import { testExecutions } from "./execution.ts";
import type { TestDatabase } from "./table.ts";

const minute = 60_000;

/** Dependencies of the functions that continue and wake executions. */
type WaitDeps = ExecutionDeps & { schedules: Schedules };

/** Runs a function; returns false when it died: its message is delivered again. */
export type RunFunction = (work: (deps: WaitDeps) => Promise<unknown>) => Promise<boolean>;

/** A Prompt: its model receives `asked ID`. */
export const ask = (id: string) => ({ id, type: "Prompt", prompt: `asked ${id}` });

/** A revision with steps, and edges such as `one>two`. */
export const buildFlow = (steps: object[], edges: string[], more: object = {}) => ({
  llmConfigs: [{ providerId: "test", parameters: {} }],
  flow: {
    steps,
    edges: edges.map((edge) => {
      const [source, target] = edge.split(">");
      return { source, target };
    }),
  },
  ...more,
});

/** Lets time pass until work ends, at least for a duration. Returns its result, and how long it lasted. */
export const passUntilEnd = async <Result>(
  { tenant, timers }: Pick<ReturnType<typeof testWaiting>, "tenant" | "timers">,
  work: Promise<Result>,
  leastMs: number,
): Promise<{ result: Result; lastedMs: number }> => {
  const { clock } = tenant.ctx;
  const since = clock();
  let lastedMs = 0;
  void work.then(() => {
    lastedMs = clock() - since;
  });
  await expect
    .poll(
      () => {
        timers.pass(2_000);
        return lastedMs;
      },
      { interval: 5, timeout: 20_000 },
    )
    .toBeGreaterThanOrEqual(leastMs);
  return { result: await work, lastedMs };
};

/**
 * Executions that wait, with queues and schedules that fire when the clock is advanced. `respond`: what the model responds;
 * default: the prompt.
 */
export const testWaiting = (
  db: TestDatabase,
  respond: (prompt: string) => Promise<string> | string = (prompt) => prompt,
) => {
  const asked: string[] = [];
  const world = testExecutions(db, (prompt) => {
    asked.push(prompt);
    return respond(prompt);
  });
  const schedules = new Map<string, Schedule>();
  const service: Schedules = {
    put: async (schedule) => void schedules.set(schedule.name, schedule),
    remove: async (name) => void schedules.delete(name),
  };
  const delayed: WakeExecutionMessage[] = [];
  const events: OrganizationEvent[] = [];
  const replies: SendChatReplyMessage[] = [];
  const { tenant, deps } = world;
  const failed: unknown[] = [];
  const runHere: RunFunction = async (work) => {
    await work({ ...deps, schedules: service });
    return true;
  };
  /** Delivers the messages that are due, also those of functions that died, and fires the schedules. */
  const deliver = async (run: RunFunction = runHere): Promise<void> => {
    const now = tenant.ctx.clock();
    tenant.sent.push(...failed.splice(0));
    for (const [name, { message }] of schedules) {
      const fired = WakeExecutionMessage.parse(JSON.parse(message));
      if (fired.at > now) continue;
      schedules.delete(name);
      tenant.sent.push(fired);
    }
    tenant.sent.push(...delayed.splice(0));
    for (let sent = tenant.sent.shift(); sent; sent = tenant.sent.shift()) {
      const published = PublishEventMessage.safeParse(sent);
      const woken = WakeExecutionMessage.safeParse(sent);
      const reply = SendChatReplyMessage.safeParse(sent);
      const connected = ResumeConnectedMessage.safeParse(sent);
      // Another consumer than that of executions.
      if (PurgePersonMessage.safeParse(sent).success) continue;
      if (published.success) events.push(published.data.event);
      else if (reply.success) replies.push(reply.data);
      else if (connected.success) await run((own) => resumeConnected(own, connected.data));
      else if (!woken.success) {
        const message = RunExecutionMessage.parse(sent);
        const deadline = tenant.ctx.clock() + 900_000;
        const input = { message, deadline };
        if (!(await run((own) => continueExecutions(own, input)))) failed.push(sent);
      } else if (woken.data.at > now && woken.data.at - now <= 15 * minute) {
        delayed.push(woken.data);
      } else if (!(await run((own) => wakeExecution(own, woken.data)))) {
        failed.push(sent);
      }
    }
  };
  const dueAfter = async (ms: number) => {
    tenant.advance(ms);
    await deliver();
  };
  const statuses = async (agentId: string) =>
    (await world.list(agentId)).map(({ status }) => status);
  return {
    ...world,
    asked,
    events,
    replies,
    service,
    schedules,
    deliver,
    dueAfter,
    statuses,
    delayed: () => delayed,
  };
};

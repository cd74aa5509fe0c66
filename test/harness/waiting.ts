import type { Schedule, Schedules } from "../../lib/agents/schedule/schedules.ts";
import {
  RunExecutionMessage,
  SendChatReplyMessage,
  WakeExecutionMessage,
} from "../../lib/executions/messages.ts";
import { continueExecutions } from "../../lib/executions/recover/continue-executions.ts";
import { wakeExecution } from "../../lib/executions/wait/wake-execution.ts";
import { PublishEventMessage } from "../../lib/notifications/messages.ts";
import type { OrganizationEvent } from "../../lib/platform/outbox/organization-event.ts";
import { testExecutions } from "./execution.ts";
import type { TestDatabase } from "./table.ts";

const minute = 60_000;

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
  const wake = (message: WakeExecutionMessage) =>
    wakeExecution({ ...deps, schedules: service }, message);
  /** Delivers the messages that are due, and fires the schedules. */
  const deliver = async (): Promise<void> => {
    const now = tenant.ctx.clock();
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
      if (published.success) events.push(published.data.event);
      else if (reply.success) replies.push(reply.data);
      else if (!woken.success) {
        const message = RunExecutionMessage.parse(sent);
        await continueExecutions(deps, { message, deadline: tenant.ctx.clock() + 900_000 });
      } else if (woken.data.at > now && woken.data.at - now <= 15 * minute) {
        delayed.push(woken.data);
      } else {
        await wake(woken.data);
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
    schedules,
    deliver,
    dueAfter,
    statuses,
    delayed: () => delayed,
  };
};

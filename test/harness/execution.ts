import { createAgent } from "../../lib/agents/agent/create-agent.ts";
import type { ExecutionDeps } from "../../lib/agents/execution/context.ts";
import { continueExecution } from "../../lib/agents/execution/continue-execution.ts";
import { executeAgent } from "../../lib/agents/execution/execute-agent.ts";
import { recoverExecutions } from "../../lib/agents/execution/recover-executions.ts";
import {
  type ExecuteAgentBody,
  ExecutionResult,
  triggerTypes,
} from "../../lib/agents/execution/schemas.ts";
import { getExecution, listExecutionsNewestFirst } from "../../lib/agents/execution/store.ts";
import { RunExecutionMessage } from "../../lib/agents/messages.ts";
import { createRevision } from "../../lib/agents/revision/create-revision.ts";
import { deployRevision } from "../../lib/agents/revision/deploy-revision.ts";
import { revisionLoader } from "../../lib/agents/revision/load-revision.ts";
import { RevisionContent } from "../../lib/agents/revision/schemas.ts";
import { listUsage } from "../../lib/agents/usage/store.ts";
import type { EventStream } from "../../lib/edge/event-stream.ts";
import type { GenerateRequest, ModelProvider } from "../../lib/engine/models/model.ts";
import { createModelRegistry } from "../../lib/engine/models/registry.ts";
import { createToolRegistry } from "../../lib/engine/tools/registry.ts";
import type { Once } from "../../lib/platform/http/call-context.ts";
import type { TestDatabase } from "./table.ts";
import { testTenant } from "./tenant.ts";
import { manualTimers } from "./timers.ts";

/** What the model `test/m` says: tests decide it, prompt by prompt. */
export type Say = (prompt: string, request: GenerateRequest) => Promise<string> | string;

/** A model of 10 input tokens and 5 output tokens a call, at a cent each call. */
const testModel = (say: Say): ModelProvider => ({
  defaultModel: "m",
  generate: async (request) => {
    const [last] = request.messages.slice(-1);
    const prompt = last?.role === "user" ? last.text : "";
    const text = await say(prompt, request);
    request.signal.throwIfAborted();
    return {
      message: { role: "assistant", text, toolCalls: [] },
      usage: { inputTokens: 10, outputTokens: 5, cachedTokens: 0, thinkingTokens: 0 },
      finishReason: "stop",
    };
  },
  price: async () => ({
    cost: { inputCost: 0.006, outputCost: 0.004, cachedCost: 0, thinkingCost: 0, totalCost: 0.01 },
    priced: true,
  }),
});

/** A tenant whose agents run, with time and model in the test's hands. */
export const testExecutions = (db: TestDatabase, say: Say = (prompt) => prompt) => {
  const tenant = testTenant(db);
  const timers = manualTimers(tenant.ctx.clock, tenant.advance);
  const tools = createToolRegistry();
  const tenantId = tenant.ctx.tenant.id;
  const deps: ExecutionDeps = {
    ...tenant.deps,
    loadRevision: revisionLoader({ ...tenant.deps, tools }),
    modelsOf: () => createModelRegistry(new Map([["test", testModel(say)]])),
    skillsOf: () => ({ resolve: async () => undefined }),
    toolsOf: () => tools,
    runtime: tenant.ctx,
    sleep: timers.sleep,
  };
  const background: Promise<unknown>[] = [];
  const deadline = () => tenant.ctx.clock() + 900_000;

  const execute = (
    agentId: string,
    body: ExecuteAgentBody = {},
    waitMs: number | undefined = undefined,
    withDeps: ExecutionDeps = deps,
    once: Once | undefined = undefined,
    events: EventStream | undefined = undefined,
  ) =>
    executeAgent({
      ctx: {
        ...tenant.ctx,
        deadline: deadline(),
        events,
        once,
        waitUntil: (work) => background.push(work.catch(() => undefined)),
      },
      input: { agentId, body, triggerType: triggerTypes.api, isSample: false, waitMs },
      deps: withDeps,
    });

  return {
    tenant,
    tenantId,
    deps,
    timers,
    background,
    execute,
    /** Runs to the end and gives the result. */
    executeToEnd: async (agentId: string, body?: ExecuteAgentBody, withDeps?: ExecutionDeps) =>
      ExecutionResult.parse((await execute(agentId, body, undefined, withDeps)).execution),
    /** Runs to the end and gives the events that a caller gets. */
    stream: async (agentId: string, body?: ExecuteAgentBody) => {
      const sent: unknown[] = [];
      const events: EventStream = {
        send: (event, data) => sent.push({ event, data }),
        isOpen: () => true,
        end: () => undefined,
      };
      await execute(agentId, body, undefined, deps, undefined, events);
      return sent;
    },
    /** Gives the 202's body. */
    accept: async (agentId: string, waitMs = 0, withDeps?: ExecutionDeps) => {
      const { status, execution } = await execute(agentId, {}, waitMs, withDeps);
      if (status !== "accepted") throw new Error("the execution ended before it was accepted");
      return ExecutionResult.parse(execution);
    },
    deploy: async (agentId: string, content: unknown) => {
      const { ctx, deps: storage } = tenant;
      await createAgent({ ctx, input: { id: agentId, displayName: agentId }, deps: storage }).catch(
        () => undefined,
      );
      const { agentRevision: revision } = await createRevision({
        ctx,
        input: { agentId, content: RevisionContent.parse(content) },
        deps: storage,
      });
      await deployRevision({ ctx, input: { agentId, revision }, deps: storage });
    },
    /** Hands the messages that were sent to workers, until there are none. */
    work: async (withDeps: ExecutionDeps = deps) => {
      for (let message = tenant.sent.shift(); message; message = tenant.sent.shift()) {
        await continueExecution(withDeps, RunExecutionMessage.parse(message), deadline());
      }
    },
    /** Hands the next message to a worker. */
    workOnce: (withDeps: ExecutionDeps = deps) =>
      continueExecution(withDeps, RunExecutionMessage.parse(tenant.sent.shift()), deadline()),
    recover: () => recoverExecutions({ ...tenant.deps, clock: tenant.ctx.clock }),
    read: async (agentId: string, executionId: string) => {
      const found = await getExecution(db, tenantId, agentId, executionId);
      if (!found) throw new Error(`no execution ${executionId}`);
      return found;
    },
    list: async (agentId: string) => {
      const span = { from: undefined, to: undefined };
      const page = { size: 200, skip: 0 };
      return (await listExecutionsNewestFirst(db, tenantId, agentId, span, page)).items;
    },
    /** What all executions of an agent were counted with: executions, and calls of the model `m`. */
    counted: async (agentId: string) => {
      const counters = await listUsage(db, tenantId, agentId, "*");
      const total = (of: typeof counters, name: "executionCount" | "inputTokens") =>
        of.reduce((sum, each) => sum + each[name], 0);
      const whole = counters.filter(({ modelId }) => modelId === undefined);
      const models = counters.filter(({ modelId }) => modelId === "m");
      return {
        executions: total(whole, "executionCount"),
        modelTokens: total(models, "inputTokens"),
      };
    },
    open: async () => (await db.scan()).filter(({ pk }) => String(pk).startsWith("OPEN#")),
  };
};

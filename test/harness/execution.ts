import * as z from "zod";
import { createAgent } from "../../lib/agents/agent/create-agent.ts";
import { RevisionContent } from "../../lib/agents/revision/content.ts";
import { createRevision } from "../../lib/agents/revision/create-revision.ts";
import { deployRevision } from "../../lib/agents/revision/deploy-revision.ts";
import { revisionLoader } from "../../lib/agents/revision/load-revision.ts";
import type { EventStream } from "../../lib/edge/event-stream.ts";
import type {
  GenerateRequest,
  GenerateResult,
  ModelProvider,
} from "../../lib/engine/models/model.ts";
import { createModelRegistry } from "../../lib/engine/models/registry.ts";
import { createToolRegistry } from "../../lib/engine/tools/registry.ts";
import { endHooks } from "../../lib/executions/hooks/end-hooks.ts";
import type { ExecutionDeps } from "../../lib/executions/job/job.ts";
import { RunExecutionMessage } from "../../lib/executions/messages.ts";
import { listExecutions } from "../../lib/executions/read/list-executions.ts";
import { parseExecutionKey } from "../../lib/executions/record/keys.ts";
import { getExecution } from "../../lib/executions/record/store.ts";
import { readEnd, readInput } from "../../lib/executions/record/values.ts";
import { continueExecutions } from "../../lib/executions/recover/continue-executions.ts";
import { recoverExecutions } from "../../lib/executions/recover/recover-executions.ts";
import { executeAgent } from "../../lib/executions/run/execute-agent.ts";
import {
  type ExecuteAgentBody,
  ExecutionResult,
  finalStatuses,
  triggerTypes,
} from "../../lib/executions/schemas.ts";
import type { PlannedStart } from "../../lib/executions/start/plan-start.ts";
import { tenantKnowledge } from "../../lib/knowledge/search/tenant-knowledge.ts";
import { agentMemory } from "../../lib/memory/recall-facts.ts";
import type { Once } from "../../lib/platform/http/call-context.ts";
import { Problem } from "../../lib/platform/http/problems.ts";
import { newUuid } from "../../lib/platform/runtime/runtime.ts";
import { sumMeasures } from "../../lib/spending/usage/measures.ts";
import { readAgentUsage } from "../../lib/spending/usage/store.ts";
import { putNewProvider } from "../../lib/tenancy/llm-provider/store.ts";
import type { JsonObject } from "../../lib/values/json/json.ts";
import type { TestDatabase } from "./table.ts";
import { testTenant } from "./tenant.ts";
import { manualTimers } from "./timers.ts";

const Keys = z.object({ pk: z.string(), sk: z.string() });

/** Returns the response of the model `test/m` to a prompt: its text, or a message with tool calls. */
export type Respond = (
  prompt: string,
  request: GenerateRequest,
) => Promise<string | GenerateResult> | string | GenerateResult;

/** A model that uses 10 input, 5 output and 2 thinking tokens per call, for a cent. */
const testModel = (respond: Respond): ModelProvider => ({
  defaultModel: "m",
  generate: async (request) => {
    const [last] = request.messages.slice(-1);
    const prompt = last?.role === "user" ? last.text : "";
    const response = await respond(prompt, request);
    request.signal.throwIfAborted();
    return {
      message:
        typeof response === "string"
          ? { role: "assistant", text: response, toolCalls: [] }
          : response.message,
      usage: { inputTokens: 10, outputTokens: 5, cachedTokens: 0, thinkingTokens: 2 },
      finishReason: "stop",
    };
  },
  price: async () => ({
    cost: { inputCost: 0.006, outputCost: 0.004, cachedCost: 0, thinkingCost: 0, totalCost: 0.01 },
    priced: true,
  }),
});

/** The stored provider behind the models of `modelsFor`. */
const testProvider = {
  id: "test",
  type: "openai-compatible" as const,
  displayName: "Test",
  baseUrl: "https://models.example.com/v1",
  region: null,
  defaultModel: "m",
  createdAt: 0,
  modifiedAt: 0,
  apiKey: null,
  version: 1,
};

/** Creates a tenant with agents that run with a controlled clock and model. */
export const testExecutions = (db: TestDatabase, respond: Respond = (prompt) => prompt) => {
  const tenant = testTenant(db);
  const timers = manualTimers(tenant.ctx.clock, tenant.advance);
  const tools = createToolRegistry();
  const tenantId = tenant.ctx.tenant.id;
  const deps: ExecutionDeps = {
    ...tenant.deps,
    loadRevision: revisionLoader({ ...tenant.deps, tools }),
    modelsFor: () => createModelRegistry(new Map([["test", testModel(respond)]])),
    knowledgeFor: (of) => tenantKnowledge({ ...tenant.deps, models: createModelRegistry() }, of),
    memoryFor: (of, agentId) =>
      agentMemory(
        { ...tenant.deps, models: createModelRegistry(), clock: tenant.ctx.clock },
        { tenantId: of, agentId },
      ),
    skillsFor: () => ({ resolve: async () => undefined }),
    toolsFor: () => tools,
    endHooks,
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
    executeAgent(withDeps, {
      ctx: {
        ...tenant.ctx,
        deadline: deadline(),
        events,
        once,
        waitUntil: (work) => background.push(work.catch(() => undefined)),
      },
      agentId,
      body,
      triggerType: triggerTypes.api,
      isSample: false,
      waitMs,
    }).then((execution) => ({
      status: finalStatuses.has(execution.status) ? "ended" : "accepted",
      execution,
    }));

  return {
    tenant,
    tenantId,
    /** A planned start of an agent by a webhook, which a worker runs. */
    planStart: (agentId: string, input: JsonObject): PlannedStart => ({
      id: newUuid(tenant.ctx),
      tenantId,
      agentId,
      agentRevision: 1,
      parametersMetadata: [],
      trigger: { type: triggerTypes.webhook, id: "w", provider: "github" },
      input,
      metadata: {},
      isSample: false,
      runner: { type: "worker" },
    }),
    deps,
    timers,
    background,
    execute,
    /** Runs an agent and returns the result. */
    executeToEnd: async (agentId: string, body?: ExecuteAgentBody, withDeps?: ExecutionDeps) =>
      ExecutionResult.parse((await execute(agentId, body, undefined, withDeps)).execution),
    /** Runs an agent and returns the events that a caller receives, the problem of one that fails, too. */
    stream: async (agentId: string, body?: ExecuteAgentBody) => {
      const sent: unknown[] = [];
      const events: EventStream = {
        send: (event, data) => sent.push({ event, data }),
        drain: async () => true,
        isOpen: () => true,
        hasLeft: () => false,
        end: () => undefined,
      };
      await execute(agentId, body, undefined, deps, undefined, events).catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error;
        events.send("execution.failed", { ...error, detail: error.message });
      });
      return sent;
    },
    /** Starts an agent in the background and returns the body of the 202. */
    accept: async (agentId: string, waitMs = 0, withDeps?: ExecutionDeps) => {
      const { status, execution } = await execute(agentId, {}, waitMs, withDeps);
      if (status !== "accepted") throw new Error("the execution ended before it was accepted");
      return ExecutionResult.parse(execution);
    },
    deploy: async (agentId: string, content: unknown) => {
      const { ctx, deps: storage } = tenant;
      await createAgent(storage, { ctx, body: { id: agentId, displayName: agentId } }).catch(
        () => undefined,
      );
      await putNewProvider(db, tenant.ctx.tenant.id, testProvider);
      const { agentRevision: revision } = await createRevision(storage, {
        ctx,
        agentId,
        content: RevisionContent.parse(content),
      });
      await deployRevision(storage, { ctx, agentId, revision });
    },
    /** Processes queued messages until there are none. */
    work: async (withDeps: ExecutionDeps = deps) => {
      for (let message = tenant.sent.shift(); message; message = tenant.sent.shift()) {
        await continueExecutions(withDeps, {
          message: RunExecutionMessage.parse(message),
          deadline: deadline(),
        });
      }
    },
    /** Processes the next queued message. */
    workOnce: (withDeps: ExecutionDeps = deps) =>
      continueExecutions(withDeps, {
        message: RunExecutionMessage.parse(tenant.sent.shift()),
        deadline: deadline(),
      }),
    recover: () => recoverExecutions({ ...tenant.deps, clock: tenant.ctx.clock }),
    read: async (agentId: string, executionId: string) => {
      const found = await getExecution(db, tenantId, agentId, executionId);
      if (!found) throw new Error(`no execution ${executionId}`);
      const [input, output] = await Promise.all([
        readInput(tenant.deps, found),
        readEnd(tenant.deps, found),
      ]);
      const { item, secrets = null } = found;
      return { item, input: { input, secrets, metadata: item.metadata ?? {} }, output };
    },
    list: async (agentId: string) => {
      const selection = { now: tenant.ctx.clock() };
      const page = { size: 200, skip: 0 };
      return (await listExecutions(db, { tenantId, agentId }, selection, page))?.items ?? [];
    },
    /** Returns the usage of an agent: executions, and calls of the model `m`. */
    counted: async (agentId: string) => {
      const now = tenant.ctx.clock();
      const since = now - 60 * 24 * 3_600_000;
      const counters = await readAgentUsage(db, tenantId, agentId, { since, now });
      const ofModel = counters
        .flatMap(({ models }) => models)
        .filter(({ modelId }) => modelId === "m");
      return {
        executions: sumMeasures(counters.map(({ executions }) => executions)).executionCount,
        modelTokens: sumMeasures(ofModel).inputTokens,
      };
    },
    /** Lists the records with a lease, of all tenants. */
    open: async () =>
      (await db.scan())
        .filter(({ leaseUntil }) => leaseUntil !== undefined)
        .map((item) => ({ ...parseExecutionKey(Keys.parse(item)), ...item })),
  };
};

import { Reply } from "../../lib/edge/respond.ts";
import { agentTasks } from "../../lib/mcp/agent-tasks.ts";
import { findResponseTime, openInTime } from "../../lib/mcp/call-time.ts";
import { countCalls } from "../../lib/mcp/count-calls.ts";
import { findExposedConfig, findOfferedAgents, findOffers } from "../../lib/mcp/find-offers.ts";
import { handleMcp } from "../../lib/mcp/handle-mcp.ts";
import { linkedFiles } from "../../lib/mcp/linked-files.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { once } from "../../lib/platform/runtime/once.ts";
import { ProcessorBudget } from "../../lib/platform/sandbox/processor-budget.ts";
import { processorLimits } from "../../lib/platform/sandbox/processor-limits.ts";
import { executionDeps } from "../deps/execution-deps.ts";
import { streamedEndpoint } from "../deps/streamed-endpoint.ts";
import { toolsDeps } from "../deps/tools-deps.ts";
import * as rows from "./routes.ts";

/** A call of an agent that takes longer continues as a task. */
const taskAfterMs = 20_000;

export const handler = streamedEndpoint(
  rows.callMcp,
  async ({ ctx, params, body, headers }) => {
    const deps = { execution: executionDeps(), tools: toolsDeps() };
    const config = await findExposedConfig(deps.execution.db, ctx, params.config);
    const { events, deadline, takeStreamSlot: takeSlot, clock, baseUrl } = ctx;
    const respondBy = findResponseTime({ ctx, events });
    const signal = AbortSignal.timeout(Math.max(1, respondBy - clock()));
    const processor = new ProcessorBudget(ctx.tenant.id, processorLimits.requestMs);
    const caller = {
      ...ctx,
      ...{ respondBy, processor, taskAfterMs },
      // The calls of a batch would be one execution.
      once: Array.isArray(body) ? undefined : ctx.once,
    };
    const findAgents = once(() => findOfferedAgents(deps.execution.db, { caller, config }));
    const offers = async (named?: string) =>
      findOffers(deps, { caller, config, agents: await findAgents(), named, signal });
    const findAgentIds = async () =>
      [...(await findAgents())].flatMap(([agentId, refusal]) => (refusal ? [] : agentId));
    const tasks = agentTasks(deps.execution, { caller, findAgentIds });
    const readFile = linkedFiles(deps.execution, { caller, findAgentIds });
    const { displayName } = config;
    const send = (message: object): void => events?.send("message", message);
    const stream = events && { ...events, send, deadline, takeSlot };
    const failures: unknown[] = [];
    const onUnavailable = (error: unknown): void => void failures.push(error);
    const request = { displayName, findOffers: offers, tasks, readFile, signal, stream, clock };
    const response = await openInTime({ ctx, events }, () =>
      handleMcp({ body, headers, baseUrl }, { ...request, onUnavailable }),
    );
    // A response is kept for repetitions with the same key; after a refusal, one of them may succeed.
    if (caller.once && failures.length > 0) throw failures[0];
    const { status, contentType: type } = response;
    return new Reply(response.body, type === null ? {} : { "Content-Type": type }, status);
  },
  { objects: objectStore, requestsIn: countCalls },
);

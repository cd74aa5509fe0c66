import { getAgent } from "../agent/store.ts";
import type { Principal } from "../auth/principal.ts";
import type { Database } from "../db/database.ts";
import type { ObjectStore } from "../db/large-value.ts";
import { checkInputs } from "../flow/check-inputs.ts";
import type { Json } from "../flow/json.ts";
import { runFlow } from "../flow/run-flow.ts";
import { conflict, notFound, validationFailed } from "../http/problems.ts";
import type { ModelRegistry } from "../models/model.ts";
import type { LoadedRevision, revisionLoader } from "../revision/load-revision.ts";
import { type Runtime, uuidAt } from "../runtime/runtime.ts";
import type { TenantOwner } from "../tenant/store.ts";
import type { ToolRegistry } from "../tools/tool.ts";
import { finishExecution } from "./finish-execution.ts";
import type { ExecuteAgentBody, ExecutionResult } from "./schemas.ts";
import { startExecution } from "./start-execution.ts";

/** How long a caller waits for an execution. */
const longestWaitMs = 25_000;
/** What is left of the function's time to write the end of an execution. */
const writingMs = 2_000;

/** What an execution needs. */
export type ExecuteDeps = {
  db: Database;
  objects: ObjectStore;
  loadRevision: ReturnType<typeof revisionLoader>;
  models: ModelRegistry;
  tools: ToolRegistry;
};

/**
 * Runs an agent's deployed revision, or the one that is asked for, and waits for the end.
 * Throws 404 and 409 when there is nothing to run, 400 for inputs that do not fit, and the problem in which
 * the execution ended; its record is written in every case.
 */
export const executeAgent = async ({
  ctx,
  input: { agentId, body },
  deps,
}: {
  ctx: Runtime & { tenant: TenantOwner; principal: Principal; deadline: number };
  input: { agentId: string; body: ExecuteAgentBody };
  deps: ExecuteDeps;
}): Promise<ExecutionResult> => {
  const tenantId = ctx.tenant.id;
  const agent = await getAgent(deps.db, tenantId, agentId);
  if (!agent) throw notFound("agent", agentId);
  const agentRevision = body.revision ?? agent.deployedRevision;
  if (agentRevision === null) {
    throw conflict(`The agent "${agentId}" has no deployed revision. Deploy one first.`);
  }
  const revision = await deps.loadRevision(tenantId, agent, agentRevision);
  if (!revision) throw notFound("revision", `${agentId}/${agentRevision}`);
  const values = inputsOf(revision, body);

  const startTime = ctx.clock();
  const trigger = { type: 0, id: ctx.principal.id, provider: null };
  const started = await startExecution(deps, tenantId, {
    id: uuidAt(startTime, ctx.randomBytes(10)),
    agentId,
    agentRevision,
    startTime,
    trigger,
    input: body.input ?? {},
    parametersMetadata: revision.content.parametersMetadata,
    metadata: body.metadata ?? {},
  });
  const result = await runFlow(revision.flow, {
    input: values,
    parameters: values,
    trigger,
    execution: { id: started.id, agentId, agentRevision, startTime },
    deps: { clock: ctx.clock, models: deps.models, tools: deps.tools },
    signal: new AbortController().signal,
    deadline: Math.min(startTime + longestWaitMs, ctx.deadline - writingMs),
    defaultLlm: revision.defaultLlm,
  });
  return finishExecution(deps, tenantId, { started, result, endTime: ctx.clock() });
};

const inputsOf = ({ content }: LoadedRevision, { input }: ExecuteAgentBody) => {
  const checked = checkInputs(content.parametersMetadata, input ?? {});
  if (!checked.ok) throw validationFailed(checked.errors);
  const values: { readonly [name: string]: Json } = checked.values;
  return values;
};

import type { RevisionContent } from "../agents/revision/content.ts";
import { loadDeployed } from "../agents/revision/load-deployed.ts";
import { findOutputSchema } from "../agents/revision/output-schema.ts";
import { findWait } from "../approvals/find-wait.ts";
import type { FlowEvent } from "../engine/flow/flow-result.ts";
import { buildToolSchema } from "../engine/flow/prompt/tool-schema.ts";
import type { ExecutionDeps } from "../executions/job/job.ts";
import { handOverMs } from "../executions/lease/execution-lease.ts";
import { getExecution } from "../executions/record/store.ts";
import { type ExecutionWait, executeAgent } from "../executions/run/execute-agent.ts";
import {
  type ExecuteAgentBody,
  type ExecutionResult,
  finalStatuses,
  SessionId,
  triggerTypes,
} from "../executions/schemas.ts";
import { type FilesPlace, linkOutputFiles } from "../files/output-files.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { releaseKey } from "../platform/http/call-context.ts";
import { problemRegistry } from "../platform/http/problem-registry.ts";
import { Problem } from "../platform/http/problems.ts";
import { isJsonObject, type JsonObject } from "../values/json/json.ts";
import { parseJson } from "../values/json/parse-json.ts";
import type { AgentCaller } from "./agent-caller.ts";
import { describeTask } from "./agent-tasks.ts";
import { describeProgress } from "./describe-progress.ts";
import { describeFoundWait, describeWait } from "./describe-wait.ts";
import type { Offer, Outcome } from "./offer.ts";

/** Time reserved for handing over an execution that takes longer. */
const marginMs = 4_000;
/** Time reserved for the result of an execution that continues, from the request's validation on. */
const answerMs = 1_000;

/**
 * Offers an agent as an MCP tool that runs its deployed revision. An agent that the caller may not run is not
 * listed, and calling it returns the refusal. An execution that exceeds the deadline continues in the
 * background; the result names it, or is its task for a client that takes tasks. That of one that waits also has what it
 * waits for.
 */
export const offerAgent = (
  deps: ExecutionDeps,
  {
    caller,
    agentId,
    refusal,
  }: { caller: AgentCaller; agentId: string; refusal: Problem | undefined },
): Offer => {
  const tenantId = caller.tenant.id;
  return {
    name: agentId,
    describe: async () => {
      if (refusal) return undefined;
      const loaded = await loadDeployed(deps, { tenantId, agentId });
      if ("missing" in loaded) return undefined;
      const { agent, revision } = loaded;
      return {
        title: agent.displayName,
        description: agent.description ?? agent.displayName,
        inputSchema: toInputSchema(revision.content),
        outputSchema: ofObject(findOutputSchema(revision)),
        isReadOnly: false,
      };
    },
    call: async (input, { takesTasks, onProgress }) => {
      if (refusal) return ofProblem(caller, refusal);
      const body = await toBody(input, async () => {
        const loaded = await loadDeployed(deps, { tenantId, agentId });
        return !("missing" in loaded) && takesSession(loaded.revision.content);
      });
      if (!body) {
        caller.once?.release?.();
        return { ok: false, detail: "sessionId must be a string of 1 to 128 characters." };
      }
      const handOverAt = caller.respondBy - marginMs;
      const waits: ExecutionWait[] = [];
      const ctx = {
        ...caller,
        onWaiting: (wait: ExecutionWait) => void waits.push(wait),
        onEvent: onProgress && reportSteps(onProgress),
        deadline: handOverAt + handOverMs,
        events: undefined,
      };
      const request = {
        agentId,
        body,
        triggerType: triggerTypes.api,
        isSample: false,
        waitMs: Math.min(
          caller.respondBy - answerMs - deps.runtime.clock(),
          takesTasks ? caller.taskAfterMs : Number.POSITIVE_INFINITY,
        ),
      };
      try {
        const execution = await executeAgent(deps, { ctx, ...request });
        const isEnded = finalStatuses.has(execution.status);
        const [wait] = waits;
        // That of an earlier request with the same key.
        const isWaiting = execution.status === "Waiting" && !wait;
        const stored =
          ((takesTasks && !isEnded) || isWaiting) && (await readStored(deps, tenantId, execution));
        if (stored && takesTasks) return await describeTask(deps, { caller, execution: stored });
        const { baseUrl, principal } = caller;
        const waiting = { tenantId, principal, baseUrl, execution };
        if (wait) return await describeWait(deps.db, { ...waiting, wait });
        const found =
          stored && (await findWait(deps.db, { execution: stored, now: deps.runtime.clock() }));
        const described = found && describeFoundWait(waiting, found);
        return described || toOutcome(execution, { baseUrl, tenantId });
      } catch (error) {
        return ofProblem(caller, error);
      }
    },
  };
};

const reportSteps =
  (report: (message: string) => void) =>
  (event: FlowEvent): void => {
    const message = describeProgress(event);
    if (message !== undefined) report(message);
  };

const readStored = (
  { db }: Pick<ExecutionDeps, "db">,
  tenantId: TenantId,
  { agentId, executionId }: ExecutionResult,
) => getExecution(db, tenantId, agentId, executionId);

/** Name of the argument with the id of a session, unless the agent has an input of that name. */
const argument = "sessionId";

/** Returns the request of a call; undefined for a session without a valid id. */
const toBody = async (
  input: JsonObject,
  takes: () => Promise<boolean>,
): Promise<ExecuteAgentBody | undefined> => {
  const { [argument]: sessionId, ...others } = input;
  if (sessionId === undefined || !(await takes())) return { input };
  const { data: id } = SessionId.safeParse(sessionId);
  return id === undefined ? undefined : { input: others, session: { id } };
};

const takesSession = ({ useSession, parametersMetadata }: RevisionContent): boolean =>
  useSession && !parametersMetadata.some(({ name }) => name === argument);

const toInputSchema = (content: RevisionContent): JsonObject => {
  const schema = buildToolSchema(content.parametersMetadata);
  const { properties = {} } = schema;
  if (!takesSession(content) || !isJsonObject(properties)) return schema;
  const description =
    "Id of a session to continue, 1 to 128 characters. Without it the call begins a session; _meta.sessionId of the result is its id.";
  const own = { type: "string", minLength: 1, maxLength: 128, description };
  return { ...schema, properties: { ...properties, [argument]: own } };
};

/** Structured content is an object in the revisions of 2025. */
const ofObject = (schema: JsonObject | undefined): JsonObject | undefined =>
  schema?.type === "object" ? schema : undefined;

const toOutcome = (result: ExecutionResult, place: FilesPlace): Outcome => {
  if (finalStatuses.has(result.status)) {
    const output = parseJson(JSON.stringify(result.output ?? null));
    const { citations } = result;
    const sessionId = result.session?.id;
    return {
      ok: true,
      value: output.ok ? output.value : null,
      citations,
      files: linkOutputFiles(result.output, place),
      ...(sessionId !== undefined && { sessionId }),
    };
  }
  const detail = `The agent is still running. Its execution ${result.executionId} continues and keeps the output; another call would start another execution.`;
  return { ok: false, detail };
};

const ofProblem = ({ once }: Pick<AgentCaller, "once">, error: unknown): Outcome => {
  if (!(error instanceof Problem) || error.slug === "internal-error") throw error;
  releaseKey(once, error);
  return { ok: false, detail: `${problemRegistry[error.slug].title}: ${error.message}` };
};

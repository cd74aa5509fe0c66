import type { Deployed } from "../agents/revision/load-deployed.ts";
import { requireRole } from "../edge/authorize.ts";
import type { EventSink } from "../edge/event-stream.ts";
import type { ExecutionDeps } from "../executions/job/job.ts";
import type { RunOutcome } from "../executions/record/results.ts";
import {
  type ExecuteContext,
  type ExecutionWait,
  executeAgent,
} from "../executions/run/execute-agent.ts";
import { type ExecutionResult, triggerTypes } from "../executions/schemas.ts";
import type { FilePlaces } from "../files/assign-files.ts";
import { effects } from "../tenancy/collaborator/may.ts";
import type { TenantContext } from "../tenancy/tenant/context.ts";
import { type AnswerSteps, findAnswerSteps } from "./answer-steps.ts";
import { type AskedBody, buildBody } from "./build-body.ts";
import type { NamedAgent } from "./ids.ts";
import { nameParams } from "./name-params.ts";
import { wasCut } from "./was-cut.ts";

/** The caller of an agent. */
export type AskContext = TenantContext &
  Omit<ExecuteContext, "events" | "tenant" | "onWaiting" | "onEnded">;

/** Request for an execution of an agent. */
export type AskRequest = {
  model: string;
  agent: NamedAgent;
  body: AskedBody;
  waitMs: number | undefined;
  /** Receives the events of the execution; undefined for a caller who waits for its end. */
  onEvent: ((type: string, data: unknown) => void) | undefined;
  isOpen: () => boolean;
};

/** The execution, what it waits for, and whether a model reached the limit of the request. */
export type Asked = {
  execution: ExecutionResult;
  wait: ExecutionWait | undefined;
  isCut: boolean;
};

/**
 * Runs an agent as `:execute` does, with its requirements. Throws its problems, which name the parameters of the request.
 * @param input `onPlanned`: receives the steps with the answer, before the first event
 */
export const askAgent = async (
  deps: ExecutionDeps,
  {
    ctx,
    request,
    onPlanned,
  }: { ctx: AskContext; request: AskRequest; onPlanned?: (answers: AnswerSteps) => void },
): Promise<Asked> => {
  const { agent, body, model, onEvent, isOpen, waitMs } = request;
  const { principal, tenant } = ctx;
  const { agentId, revision } = agent;
  const row = { ...effects.run, access: { table: "write" }, readsAgent: true } as const;
  const caller = { principal, tenantId: tenant.id, agentId };
  const readAgent = await requireRole({ database: () => deps.db }, { row, ...caller });
  const events: EventSink | undefined = onEvent && {
    send: onEvent,
    isOpen,
    hasLeft: () => false,
    end: () => {},
  };
  let places: FilePlaces = new Map();
  const complete = (deployed: Deployed) => {
    onPlanned?.(findAnswerSteps(deployed.revision));
    const built = buildBody(deployed, body);
    places = built.places;
    return built.body;
  };
  const waits: ExecutionWait[] = [];
  const onWaiting = (wait: ExecutionWait) => void waits.push(wait);
  let isCut = false;
  const onEnded = ({ trace }: RunOutcome): void => {
    isCut = wasCut(trace, body.maxOutputTokens);
  };
  const getPlaces = () => places;
  const names = { model, text: body.member, session: body.session?.param, getPlaces };
  const execution = await nameParams(names, () =>
    executeAgent(deps, {
      ctx: { ...ctx, readAgent, events, onWaiting, onEnded },
      agentId,
      body: { revision },
      complete,
      triggerType: triggerTypes.api,
      isSample: false,
      // The official clients wait and repeat the request.
      isRefused: true,
      waitMs,
    }),
  );
  return { execution, wait: waits[0], isCut };
};

import type { Deployed } from "../agents/revision/load-deployed.ts";
import type { ExecutionDeps } from "../executions/job/job.ts";
import {
  type CompletedBody,
  type ExecuteContext,
  type ExecutionWait,
  executeAgent,
} from "../executions/run/execute-agent.ts";
import { type ExecutionResult, triggerTypes } from "../executions/schemas.ts";
import type { FilePlaces } from "../files/assign-files.ts";
import { placeFileErrors } from "../files/place-file-errors.ts";
import { type AnswerSteps, findAnswerSteps } from "../openai/answer-steps.ts";
import { Problem } from "../platform/http/problems.ts";
import type { TenantContext } from "../tenancy/tenant/context.ts";
import { noPush } from "./problems.ts";
import { readMessage, toAgentInput } from "./read-message.ts";
import type { SendMessageRequest } from "./schemas.ts";
import { metadataNames } from "./to-task.ts";

/** The caller of an agent. */
export type MessageContext = TenantContext & Omit<ExecuteContext, "tenant" | "onWaiting">;

/** A message that starts an execution of an agent. */
export type StartingMessage = { ctx: MessageContext; agentId: string; request: SendMessageRequest };

/** The execution that a message started, and what it waits for. */
export type StartedExecution = { execution: ExecutionResult; wait: ExecutionWait | undefined };

/**
 * Runs the deployed revision of an agent for a message, as `:execute` does, and throws its problems.
 * @param input `onPlanned`: receives the steps with the answer, before the first event
 */
export const runMessage = async (
  deps: ExecutionDeps,
  {
    ctx,
    agentId,
    request,
    onPlanned,
  }: StartingMessage & { onPlanned?: (answers: AnswerSteps) => void },
): Promise<StartedExecution> => {
  const { message, configuration, metadata } = request;
  if (configuration?.taskPushNotificationConfig) throw noPush();
  const content = await readMessage(message);
  let places: FilePlaces = new Map();
  const complete = ({ revision }: Deployed): CompletedBody => {
    onPlanned?.(findAnswerSteps(revision));
    const { contextId, messageId } = message;
    const assigned = toAgentInput(revision.content, content);
    places = assigned.places;
    return {
      input: assigned.input,
      metadata: {
        ...selectTexts(metadata),
        [metadataNames.messageId]: messageId,
        ...(contextId && { [metadataNames.contextId]: contextId }),
      },
      ...(revision.content.useSession && { session: contextId ? { id: contextId } : {} }),
    };
  };
  const waits: ExecutionWait[] = [];
  const onWaiting = (wait: ExecutionWait) => void waits.push(wait);
  const isAsync = configuration?.returnImmediately === true && ctx.events === undefined;
  const execution = await executeAgent(deps, {
    ctx: { ...ctx, onWaiting },
    agentId,
    body: {},
    complete,
    triggerType: triggerTypes.api,
    isSample: false,
    // Clients wait and repeat the request.
    isRefused: true,
    waitMs: isAsync ? 0 : undefined,
  }).catch((error: unknown) => {
    throw error instanceof Problem ? placeFileErrors(error, places) : error;
  });
  return { execution, wait: waits[0] };
};

const maxTexts = 48;
const maxNameLength = 128;
const maxTextLength = 1_024;

/** Returns the members of a request's metadata that an execution can keep. */
const selectTexts = (metadata: SendMessageRequest["metadata"]): Record<string, string> => {
  const texts = Object.entries(metadata ?? {}).flatMap(([name, value]) =>
    typeof value === "string" && value.length <= maxTextLength && name.length <= maxNameLength
      ? [[name, value] as const]
      : [],
  );
  return Object.fromEntries(texts.slice(0, maxTexts));
};

import * as z from "zod";
import type { EventSink } from "../edge/event-stream.ts";
import type { ExecutionDeps } from "../executions/job/job.ts";
import { ExecutionResult, finalStatuses } from "../executions/schemas.ts";
import { addMembers, Problem, validationFailed } from "../platform/http/problems.ts";
import type { AnswerSteps } from "./answer-steps.ts";
import { createAnswerText } from "./answer-text.ts";
import { type AskContext, type Asked, type AskRequest, askAgent } from "./ask-agent.ts";
import { describeWaits } from "./describe-waits.ts";
import { formatResponseId, parseModel } from "./ids.ts";
import { readMessages } from "./read-messages.ts";
import { readPrevious } from "./read-previous.ts";
import { pickRepeated } from "./repeated-request.ts";
import { replaceReferences } from "./replace-references.ts";
import { createResponseStream } from "./response-stream.ts";
import type { CreateResponseBody, OpenAiResponse } from "./schemas.ts";
import { buildMessage, formatOutput, type ShownExecution, toResponse } from "./to-response.ts";

type Creating = { ctx: AskContext; body: CreateResponseBody; events: EventSink | undefined };

/**
 * Runs an agent and returns its response; sends its events if the caller asks for a stream. Without a stream, an execution
 * that takes longer than callers wait, or waits itself, is `in_progress`. Throws the problems of `:execute`.
 */
export const createResponse = async (
  deps: ExecutionDeps,
  { ctx, body, events }: Creating,
): Promise<OpenAiResponse> => {
  const request = await toRequest(deps, { ctx, body });
  if (body.stream && events) return streamResponse(deps, { ctx, body, events, request });
  const { agentId } = request.agent;
  const asked = await askAgent(deps, { ctx, request }).catch((error: unknown) => {
    throw nameResponse(error, agentId);
  });
  const { execution, isCut } = asked;
  const output = await listOutput(deps, { ctx, asked });
  return toResponse(execution, { request: body, output, isCut });
};

const Started = z.object({ executionId: z.string() });

/** Returns the problem of an execution with the id of its response, by which it can be read; another error as it is. */
const nameResponse = (error: unknown, agentId: string): unknown => {
  if (!(error instanceof Problem)) return error;
  const { data: started } = Started.safeParse(error.members);
  return started
    ? addMembers(error, { responseId: formatResponseId({ agentId, ...started }) })
    : error;
};

const toRequest = async (
  deps: ExecutionDeps,
  { ctx, body }: Omit<Creating, "events">,
): Promise<AskRequest> => {
  const { model, input, metadata, text, instructions } = body;
  const agent = parseModel(model);
  const items =
    typeof input === "string"
      ? [{ role: "user", content: input }]
      : await replaceReferences(deps, { ctx, items: input });
  const read = await readMessages("input", items);
  const question = { ...read, ...(typeof instructions === "string" && { instructions }) };
  return {
    model,
    agent,
    body: {
      member: "input",
      question,
      metadata,
      session: await findSession(deps, { ctx, body, agentId: agent.agentId }),
      endUserId: body.user ?? body.safety_identifier,
      maxOutputTokens: body.max_output_tokens ?? undefined,
      format: { value: text?.format, pointer: "/text/format" },
      repeated: pickRepeated(body),
    },
    waitMs: body.background && !body.stream ? 0 : undefined,
    onEvent: undefined,
    isOpen: () => false,
  };
};

/** Returns the session that a request continues, with the parameter that names it; undefined for none. */
const findSession = async (
  deps: ExecutionDeps,
  { ctx, body, agentId }: { ctx: AskContext; body: CreateResponseBody; agentId: string },
): Promise<AskRequest["body"]["session"]> => {
  const { conversation, previous_response_id: previous } = body;
  if (typeof previous === "string" && conversation) {
    const detail = "must not be sent together with conversation";
    throw validationFailed([{ pointer: "/previous_response_id", detail }]);
  }
  if (typeof previous === "string") {
    return { id: await readPrevious(deps, { ctx, agentId, previous }), param: previousParam };
  }
  if (!conversation) return undefined;
  const id = typeof conversation === "string" ? conversation : conversation.id;
  return { id, param: "conversation" };
};

const previousParam = "previous_response_id";

/** Returns the items of a response: the message of an execution that ended, and what another one waits for. */
const listOutput = async (
  { db }: ExecutionDeps,
  { ctx, asked: { execution, wait } }: { ctx: AskContext; asked: Asked },
): Promise<OpenAiResponse["output"]> => {
  if (execution.status === "Succeeded") {
    return [buildMessage(execution, formatOutput(execution.output))];
  }
  if (!wait) return [];
  return (await describeWaits(db, { ctx, execution, wait })).items;
};

/** Sends the events of a response; one that has begun ends with its failure. */
const streamResponse = async (
  deps: ExecutionDeps,
  { ctx, body, events, request }: Creating & { events: EventSink; request: AskRequest },
): Promise<OpenAiResponse> => {
  const stream = createResponseStream(events);
  let answers: AnswerSteps = new Map();
  let started: ShownExecution | undefined;
  const text = createAnswerText(() => answers, stream);
  const onEvent = (type: string, data: unknown): void => {
    if (type === "execution.started") {
      started = ExecutionResult.parse(data);
      stream.start(started, toResponse({ ...started, status: "Running" }, { request: body }));
    } else text.receive(type, data);
  };
  const finish = (
    type: "completed" | "failed" | "incomplete",
    response: OpenAiResponse,
  ): OpenAiResponse => {
    stream.end(type, response);
    return response;
  };
  try {
    const asking = { ...request, onEvent, isOpen: events.isOpen };
    const onPlanned = (found: AnswerSteps) => {
      answers = found;
    };
    const asked = await askAgent(deps, { ctx, request: asking, onPlanned });
    const { execution, wait, isCut } = asked;
    // The response to an earlier request with the same Idempotency-Key.
    if (!stream.isStarted()) onEvent("execution.started", execution);
    if (execution.status === "Succeeded") {
      text.end(execution.output);
      const output = stream.complete();
      const response = toResponse(execution, { request: body, output, isCut });
      return finish(response.status === "incomplete" ? "incomplete" : "completed", response);
    }
    const output = [...stream.messages(), ...(await listOutput(deps, { ctx, asked }))];
    if (finalStatuses.has(execution.status)) {
      const error = { code: "cancelled", message: "The execution was cancelled." };
      return finish("failed", toResponse(execution, { request: body, output, error }));
    }
    const incomplete = wait ? "waiting" : "background";
    return finish("incomplete", toResponse(execution, { request: body, output, incomplete }));
  } catch (cause) {
    // Other errors are not of the execution: they end the stream as the error of the request.
    if (!started || !(cause instanceof Problem) || cause.members.executionId === undefined) {
      throw cause;
    }
    const error = { code: cause.slug, message: cause.message };
    const output = stream.messages();
    const failed: ShownExecution = { ...started, status: "Failed" };
    // A guardrail may have blocked the instructions.
    const request = cause.slug === "guardrail-blocked" ? { ...body, instructions: null } : body;
    return finish("failed", toResponse(failed, { request, output, error }));
  }
};

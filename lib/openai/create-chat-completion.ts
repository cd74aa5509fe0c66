import type { EventSink } from "../edge/event-stream.ts";
import type { ExecutionDeps } from "../executions/job/job.ts";
import { ExecutionResult } from "../executions/schemas.ts";
import { Problem } from "../platform/http/problems.ts";
import type { AnswerSteps } from "./answer-steps.ts";
import { createAnswerText } from "./answer-text.ts";
import { type AskContext, type Asked, type AskRequest, askAgent } from "./ask-agent.ts";
import { createChunkStream } from "./chunk-stream.ts";
import { describeWaits } from "./describe-waits.ts";
import { parseModel } from "./ids.ts";
import { readMessages } from "./read-messages.ts";
import type { ChatCompletion, CreateChatCompletionBody } from "./schemas.ts";
import { toCompletion } from "./to-completion.ts";
import { formatOutput } from "./to-response.ts";

type Creating = {
  ctx: AskContext;
  body: CreateChatCompletionBody;
  events: EventSink | undefined;
};

/**
 * Runs an agent and returns its output as a chat completion; sends its chunks if the caller asks for a stream. That of an
 * execution that waits describes what it waits for. Throws the problems of `:execute`, and 504 for an execution that
 * takes longer than callers without a stream wait.
 */
export const createChatCompletion = async (
  deps: ExecutionDeps,
  { ctx, body, events }: Creating,
): Promise<ChatCompletion> => {
  const request = await toRequest(body);
  if (body.stream && events) return streamCompletion(deps, { ctx, body, events, request });
  const asked = await askAgent(deps, { ctx, request });
  const answer = await readAnswer(deps, { ctx, asked });
  return toCompletion(asked.execution, answer, asked.isCut);
};

const toRequest = async (body: CreateChatCompletionBody): Promise<AskRequest> => ({
  model: body.model,
  agent: parseModel(body.model),
  body: {
    member: "messages",
    question: await readMessages("messages", body.messages),
    metadata: body.metadata,
    session: undefined,
    endUserId: body.user ?? body.safety_identifier,
    maxOutputTokens: body.max_completion_tokens ?? body.max_tokens ?? undefined,
    format: { value: body.response_format, pointer: "/response_format" },
  },
  waitMs: undefined,
  onEvent: undefined,
  isOpen: () => false,
});

/** Returns the text of an execution that ended, or what another one waits for. Throws for others. */
const readAnswer = async (
  { db }: ExecutionDeps,
  { ctx, asked: { execution, wait } }: { ctx: AskContext; asked: Asked },
): Promise<string> => {
  const { executionId, status } = execution;
  if (status === "Succeeded") return formatOutput(execution.output);
  if (wait) return (await describeWaits(db, { ctx, execution, wait })).text;
  const members = { executionId };
  if (status === "Cancelled") {
    throw new Problem("execution-failed", "The execution was cancelled.", { members });
  }
  const detail = `The execution ${executionId} takes longer than a request without a stream, and continues. Send "stream": true for such an agent.`;
  throw new Problem("upstream-timeout", detail, { members });
};

const streamCompletion = async (
  deps: ExecutionDeps,
  { ctx, body, events, request }: Creating & { events: EventSink; request: AskRequest },
): Promise<ChatCompletion> => {
  const stream = createChunkStream(events, body.stream_options?.include_usage ?? false);
  let answers: AnswerSteps = new Map();
  const text = createAnswerText(() => answers, stream);
  const onEvent = (type: string, data: unknown): void => {
    if (type === "execution.started") stream.start(ExecutionResult.parse(data));
    else text.receive(type, data);
  };
  const asking = { ...request, onEvent, isOpen: events.isOpen };
  const onPlanned = (found: AnswerSteps) => {
    answers = found;
  };
  const asked = await askAgent(deps, { ctx, request: asking, onPlanned });
  const { execution } = asked;
  const answer = await readAnswer(deps, { ctx, asked });
  // Unless this is the response to an earlier request with the same Idempotency-Key.
  if (!stream.isStarted()) stream.start(execution);
  text.end(answer);
  const completion = toCompletion(execution, answer, asked.isCut);
  stream.end(completion.usage, completion.choices[0]?.finish_reason ?? "stop");
  return completion;
};

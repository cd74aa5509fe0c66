import { isDeepStrictEqual } from "node:util";
import type { ExecutionDeps } from "../executions/job/job.ts";
import { ExecutionResult } from "../executions/schemas.ts";
import { type AnswerSteps, hasJsonOutput } from "../openai/answer-steps.ts";
import { createAnswerText } from "../openai/answer-text.ts";
import { withSlot } from "../platform/slots/with-slot.ts";
import { decideTask } from "./continue-task.ts";
import { type OutputModes, textType } from "./output-modes.ts";
import { readTask } from "./read-task.ts";
import { runMessage, type StartingMessage } from "./run-message.ts";
import type { A2aPart, A2aTask, SendMessageResponse } from "./schemas.ts";
import { nameStarted, toFailedTask, toStartedTask, toView } from "./started-task.ts";
import { followTask, type TaskSink } from "./subscribe-to-task.ts";
import { type TaskNames, toArtifact, toTask } from "./to-task.ts";

type Streaming = StartingMessage & { sink: TaskSink };

/**
 * Sends a message to an agent as `sendMessage` does, and sends its task, the text of its output as a model writes it, and the
 * end of the task or what it waits for. The execution continues when the client leaves. A message that decides what a task waits
 * for, when all slots of the tenant are taken, sends the task as it is then.
 */
export const streamMessage = async (
  deps: ExecutionDeps,
  streaming: Streaming,
): Promise<SendMessageResponse> => {
  const { ctx, request, sink } = streaming;
  const view = toView(request);
  if (request.message.taskId) {
    const { execution, isDecided } = await decideTask(deps, streaming);
    const follow = () => followTask(deps, { ctx, execution, sink, view });
    const followed = isDecided ? await withSlot(ctx.takeSlot, follow) : undefined;
    if (followed) return { task: followed };
    // It waits for the decisions of others, or all slots are taken.
    const task = await readTask(deps, { ctx, execution, view });
    sink.send({ task });
    return { task };
  }
  return { task: await streamStarted(deps, { ...streaming, modes: view.modes }) };
};

const streamStarted = async (
  deps: ExecutionDeps,
  { modes, ...streaming }: Streaming & { modes: OutputModes },
): Promise<A2aTask> => {
  const { ctx, request, sink } = streaming;
  let answers: AnswerSteps = new Map();
  let names: TaskNames | undefined;
  const artifact = createArtifactStream(sink, () => names);
  const text = createAnswerText(
    () => (modes.text && !hasJsonOutput(answers) ? answers : new Map()),
    artifact,
  );
  const start = (started: ExecutionResult): void => {
    names = nameStarted(started, request);
    sink.send({ task: toTask(started, { names }) });
  };
  const onEvent = (type: string, data: unknown): void => {
    if (type === "execution.started") start(ExecutionResult.parse(data));
    else text.receive(type, data);
  };
  const events = ctx.events && { ...ctx.events, send: onEvent, end: () => {} };
  const onPlanned = (found: AnswerSteps) => {
    answers = found;
  };
  const task = await runMessage(deps, { ...streaming, ctx: { ...ctx, events }, onPlanned })
    .then(async (started) => {
      // Unless this is the response to an earlier request with the same Idempotency-Key.
      if (!names) start(started.execution);
      return toStartedTask(deps, { ctx, request, started });
    })
    .catch((error: unknown) => toFailedTask(deps, { ...streaming, error }));
  if (!names) {
    sink.send({ task });
    return task;
  }
  const output = task.artifacts?.[0]?.parts ?? [];
  if (output.length > 0) artifact.end(output);
  sink.send({ statusUpdate: { ...names, status: task.status } });
  return task;
};

/** Creates the stream of the artifact with an output: parts of a text as they come, or the whole. */
const createArtifactStream = (sink: TaskSink, getNames: () => TaskNames | undefined) => {
  let sent = "";
  const send = (parts: readonly A2aPart[], place: { append: boolean; lastChunk: boolean }) => {
    const names = getNames();
    if (!names) return;
    sink.send({ artifactUpdate: { ...names, artifact: toArtifact(names, parts), ...place } });
  };
  return {
    delta: (text: string): void => {
      send([{ text, mediaType: textType }], { append: sent !== "", lastChunk: false });
      sent += text;
    },
    /** The next text replaces the one before. */
    next: (): void => {
      sent = "";
    },
    /** Sends the rest of the output, or all of it where it is another one than what was sent. */
    end: (output: readonly A2aPart[]): void => {
      const whole = [{ text: sent, mediaType: textType }];
      if (sent !== "" && isDeepStrictEqual(whole, output)) {
        send([{ text: "", mediaType: textType }], { append: true, lastChunk: true });
      } else send(output, { append: false, lastChunk: true });
    },
  };
};

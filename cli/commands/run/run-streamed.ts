import { type StreamedExecution, streamExecution } from "../../../client/execution-events.ts";
import type { ExecutionDetail, ExecutionResult, ExecutionTrace } from "../../../client/openapi.ts";
import { toProblemError } from "../../../client/problem-error.ts";
import { followExecution, readTrace } from "../../executions/await-execution.ts";
import { failed } from "../../exit.ts";
import type { Io } from "../../io.ts";
import type { Session } from "../../session.ts";
import { type EventPrinter, eventPrinter } from "./event-printer.ts";
import { createWaitingPrinter, type PrintWaiting } from "./print-waiting.ts";

/** An ended execution, and the text of its last step that was printed. */
type Streamed = { execution: ExecutionResult | ExecutionDetail; shown: string };

/**
 * Runs an agent and prints its events: steps to stderr, model text to stdout, or to stderr with
 * `json`. Continues with the record if the execution continues in the background.
 */
export const runStreamed = async (
  session: Session,
  { agent, body }: Pick<StreamedExecution, "agent" | "body">,
  { json }: { json: boolean },
  io: Io,
): Promise<Streamed> => {
  const printer = eventPrinter(io, json ? io.stderr : io.stdout);
  const printWaiting = createWaitingPrinter(session, io);
  let id: string | undefined;
  for await (const event of streamExecution(session.client, {
    tenant: session.tenant,
    agent,
    body,
  })) {
    printer.print(event);
    if (event.type === "execution.started") id = event.execution.executionId;
    if (event.type === "execution.completed")
      return { execution: event.execution, shown: printer.end() };
    if (event.type === "execution.failed") {
      const failedId = event.problem.executionId;
      if (typeof failedId !== "string") throw toProblemError(event.problem);
      id = failedId;
      break;
    }
  }
  if (id === undefined) throw failed("The API sent no events. Run the agent without --stream.");
  const execution = await followSteps(session, { agent, id }, { printer, printWaiting });
  return { execution, shown: printer.end() };
};

/** Prints the steps that end in the background, from the trace, which needs a scope of its own, and its waits. */
const followSteps = async (
  session: Session,
  { agent, id }: { agent: string; id: string },
  { printer, printWaiting }: { printer: EventPrinter; printWaiting: PrintWaiting },
): Promise<ExecutionDetail> => {
  const { client, tenant } = session;
  const path = { tenant, agent, executionRecord: id };
  let mayRead = true;
  let isWaiting = false;
  for await (const record of followExecution(session, agent, id)) {
    const trace: ExecutionTrace | undefined = mayRead ? await readTrace(client, path) : undefined;
    mayRead = trace !== undefined;
    for (const span of trace?.spans ?? []) if (span.parentId === null) printer.printSpan(span);
    if (record.endTime !== null) return record;
    const hasWaited = isWaiting;
    isWaiting = record.status === "Waiting";
    if (isWaiting && !hasWaited) await printWaiting(id);
  }
  throw new Error("The record of the execution ended early.");
};

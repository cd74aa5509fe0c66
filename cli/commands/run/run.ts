import { type StreamedExecution, startExecution } from "../../../client/execution-events.ts";
import type { ExecutionDetail, ExecutionResult } from "../../../client/openapi.ts";
import { ProblemError } from "../../../client/problem-error.ts";
import type { GlobalInput } from "../../command.ts";
import { awaitExecution } from "../../executions/await-execution.ts";
import { type ExitCode, exitCodes, statusExitCode } from "../../exit.ts";
import { convertInputs } from "../../inputs/convert-inputs.ts";
import { readDeclaredInputs } from "../../inputs/declared-inputs.ts";
import { takeFileInputs, uploadFileInputs } from "../../inputs/file-inputs.ts";
import { readInputs } from "../../inputs/read-inputs.ts";
import type { Io } from "../../io.ts";
import { printJson, printValue } from "../../output.ts";
import { progressOn } from "../../progress.ts";
import { openSession, type Session } from "../../session.ts";
import { printOutcome } from "./print-outcome.ts";
import { createWaitingPrinter } from "./print-waiting.ts";
import { runStreamed } from "./run-streamed.ts";

type Input = GlobalInput & {
  agent: string;
  input: readonly string[];
  inputFile: string | undefined;
  stream: boolean;
  revision: number | undefined;
  background: boolean;
};

/** Within the time limit of a call, 30 s by default. */
const waitSeconds = 20;

type Start = Pick<StreamedExecution, "agent" | "body">;

/** Runs `wharf run`. */
export const runAgent = async (options: Input, io: Io): Promise<ExitCode> => {
  const given = await readInputs(options, io);
  const session = await openSession(options, io);
  const { agent, revision } = options;
  const declared =
    given.texts.length > 0 ? await readDeclaredInputs(session, agent, revision) : undefined;
  const { others, files } = await takeFileInputs(given, declared, io);
  const plain = convertInputs(others, declared);
  const input = { ...plain, ...(await uploadFileInputs(session, files, io)) };
  const start = { agent, body: { input, ...(revision !== undefined && { revision }) } };
  if (options.background) return startOnly(session, start, options, io);
  if (options.stream) {
    const { execution, shown } = await runStreamed(session, start, options, io);
    return end(execution, { ...options, shown }, io);
  }
  const progress = progressOn(io);
  progress.show(`Running ${agent}…`);
  const printWaiting = createWaitingPrinter(session, io);
  const showWaiting = async (executionId: string): Promise<void> => {
    progress.clear();
    await printWaiting(executionId);
    progress.show(`Waiting: ${agent} continues when its wait ends…`);
  };
  const execution = await runToEnd(session, start, showWaiting).finally(progress.clear);
  return end(execution, { ...options, shown: "" }, io);
};

const startOnly = async (
  { client, tenant }: Session,
  start: Start,
  { json }: GlobalInput,
  io: Io,
): Promise<ExitCode> => {
  const execution = await startExecution(client, { tenant, ...start }, "respond-async");
  if (json) printJson(io, execution);
  else printValue(io, execution.executionId);
  return exitCodes.done;
};

/** Waits for the end, in the background too. A failed execution is read from its record. */
const runToEnd = async (
  session: Session,
  start: Start,
  showWaiting: (executionId: string) => Promise<void>,
): Promise<ExecutionResult | ExecutionDetail> => {
  const { client, tenant } = session;
  try {
    const started = await startExecution(client, { tenant, ...start }, `wait=${waitSeconds}`);
    if (started.endTime !== null) return started;
    const { executionId: execution } = started;
    return await awaitExecution(session, { agent: start.agent, execution }, showWaiting);
  } catch (error) {
    const id = error instanceof ProblemError ? error.problem.executionId : undefined;
    if (typeof id !== "string") throw error;
    return awaitExecution(session, { agent: start.agent, execution: id }, showWaiting);
  }
};

const end = (
  execution: ExecutionResult | ExecutionDetail,
  { json, shown }: { json: boolean; shown: string },
  io: Io,
): ExitCode => {
  if (json) printJson(io, execution);
  else if (execution.status === "Succeeded" && execution.output !== shown) {
    printValue(io, execution.output);
  }
  printOutcome(execution, io);
  return statusExitCode(execution.status);
};

import { unwrapBody } from "../../../client/client.ts";
import type { Experiment } from "../../../client/openapi.ts";
import type { GlobalInput } from "../../command.ts";
import { type ExitCode, exitCodes, failed, usage } from "../../exit.ts";
import { findShortfalls, type Minimum, parseMinimums } from "../../experiments/minimums.ts";
import { describeProgress, printSummary } from "../../experiments/print-experiment.ts";
import { type ExperimentDetail, followExperiment } from "../../experiments/read-experiment.ts";
import type { Io } from "../../io.ts";
import type { RevisionChoice } from "../../options.ts";
import { printJson, printMessage, printValue } from "../../output.ts";
import { progressOn } from "../../progress.ts";
import { openSession, type Session } from "../../session.ts";

type Input = GlobalInput & {
  dataset: string;
  agent: string;
  revision: readonly RevisionChoice[];
  scorer: readonly string[];
  min: readonly string[];
  split: string | undefined;
  datasetVersion: number | undefined;
  repetitions: number | undefined;
  concurrency: number | undefined;
  maxCost: number | undefined;
  name: string | undefined;
  wait: boolean;
};

/** Runs `wharf experiments run`. */
export const runExperiment = async (input: Input, io: Io): Promise<ExitCode> => {
  const minimums = parseMinimums(input.min, input.scorer);
  if (!input.wait && minimums.length > 0) {
    throw usage("--min requires the result of the experiment. Remove --no-wait.");
  }
  const session = await openSession(input, io);
  const started = await start(session, input);
  if (!input.wait) {
    if (input.json) printJson(io, started);
    else printValue(io, started.id);
    return exitCodes.done;
  }
  printMessage(io, `Started the experiment ${started.id}.`);
  const read = await awaitEnd(session, started.id, io);
  if (read?.endedAt != null) return end(read, minimums, input, io);
  if (input.json) printJson(io, read ?? started);
  printMessage(
    io,
    `wharf: Interrupted. The experiment continues: wharf experiments get ${started.id}`,
  );
  return exitCodes.interrupted;
};

const start = async (session: Session, input: Input): Promise<Experiment> => {
  const { client, tenant } = session;
  const revisions = await resolveRevisions(session, input);
  const { split, datasetVersion: version, repetitions, concurrency, maxCost, name } = input;
  return unwrapBody(
    client.POST("/v1/tenants/{tenant}/experiments", {
      params: { path: { tenant } },
      body: {
        datasetId: input.dataset,
        agentId: input.agent,
        revisions,
        scorers: [...input.scorer],
        ...(split !== undefined && { split }),
        ...(version !== undefined && { version }),
        ...(repetitions !== undefined && { repetitions }),
        ...(concurrency !== undefined && { concurrency }),
        ...(maxCost !== undefined && { maxCost }),
        ...(name !== undefined && { displayName: name }),
      },
    }),
  );
};

/** Returns the numbers of the revisions without duplicates: the latest may also be given by its number. */
const resolveRevisions = async (
  { client, tenant }: Session,
  { agent, revision }: Input,
): Promise<number[]> => {
  const numbers = revision.filter((number) => number !== "latest");
  if (numbers.length === revision.length) return numbers;
  const { latestRevision } = await unwrapBody(
    client.GET("/v1/tenants/{tenant}/agents/{agent}", { params: { path: { tenant, agent } } }),
  );
  if (latestRevision === null) throw failed(`The agent ${agent} has no revision.`);
  return [...new Set([...numbers, latestRevision])];
};

/** Waits until the experiment has ended, or until Ctrl-C, and returns it as it was read last. */
const awaitEnd = async (
  session: Session,
  id: string,
  io: Io,
): Promise<ExperimentDetail | undefined> => {
  const progress = progressOn(io);
  let last: ExperimentDetail | undefined;
  try {
    for await (const read of followExperiment(session, id, io.interrupt())) {
      last = read;
      progress.show(`Running… ${describeProgress(read)}`);
    }
  } finally {
    progress.clear();
  }
  return last;
};

const end = (
  experiment: ExperimentDetail,
  minimums: readonly Minimum[],
  { json }: GlobalInput,
  io: Io,
): ExitCode => {
  if (json) printJson(io, experiment);
  else printSummary(experiment, io);
  const { status, error } = experiment;
  if (error !== null) printMessage(io, `wharf: ${error}`);
  printMessage(io, `${status}: ${describeProgress(experiment)}`);
  if (status !== "Succeeded") return exitCodes.failed;
  const shortfalls = findShortfalls(experiment, minimums);
  for (const shortfall of shortfalls) printMessage(io, `wharf: ${shortfall}`);
  return shortfalls.length > 0 ? exitCodes.belowMinimum : exitCodes.done;
};

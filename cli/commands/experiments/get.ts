import { showDollars } from "../../amounts.ts";
import type { GlobalInput } from "../../command.ts";
import { describeProgress, printSummary } from "../../experiments/print-experiment.ts";
import { type ExperimentDetail, readExperiment } from "../../experiments/read-experiment.ts";
import type { Io } from "../../io.ts";
import { printFields, printJson, showTime } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { experiment: string };

/** Runs `wharf experiments get`. */
export const getExperiment = async (input: Input, io: Io): Promise<void> => {
  const experiment = await readExperiment(await openSession(input, io), input.experiment);
  if (input.json) return printJson(io, experiment);
  printFields(io, toFields(experiment));
  if (experiment.summary.length > 0) io.stdout.write("\n");
  printSummary(experiment, io);
};

const toFields = (experiment: ExperimentDetail): [name: string, value: string][] => {
  const { displayName, agentId, revisions, datasetId, version, split } = experiment;
  const { maxCost, error, createdAt, endedAt } = experiment;
  return [
    ["ID", experiment.id],
    ...row("Name", displayName),
    [
      "Agent",
      `${agentId}, ${revisions.length === 1 ? "revision" : "revisions"} ${revisions.join(", ")}`,
    ],
    ["Dataset", `${datasetId}, version ${version}${split === null ? "" : `, split ${split}`}`],
    ["Scorers", experiment.scorers.join(", ")],
    ["Status", experiment.status],
    ...row("Error", error),
    ["Progress", describeProgress(experiment)],
    ...row("Highest cost", maxCost === null ? null : showDollars(maxCost)),
    ["Created", showTime(createdAt)],
    ...row("Ended", endedAt === null ? null : showTime(endedAt)),
  ];
};

const row = (name: string, value: string | null): [string, string][] =>
  value === null ? [] : [[name, value]];

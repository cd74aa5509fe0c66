import type { Experiment, ExperimentStatus } from "../../../client/openapi.ts";
import type { StatusKind } from "../shared/status-badge.tsx";

/** Kinds of the statuses of experiments. */
export const experimentKinds: Readonly<Record<ExperimentStatus, StatusKind>> = {
  Queued: "busy",
  Running: "busy",
  Succeeded: "good",
  Failed: "bad",
  Cancelled: "idle",
  CostLimit: "bad",
};

/** Names of the statuses of experiments. */
export const experimentStatusNames: Readonly<Record<ExperimentStatus, string>> = {
  Queued: "Queued",
  Running: "Running",
  Succeeded: "Succeeded",
  Failed: "Failed",
  Cancelled: "Cancelled",
  CostLimit: "Cost limit reached",
};

/** Reports whether an experiment starts further runs. */
export const isRunning = ({ status }: Pick<Experiment, "status">): boolean =>
  status === "Queued" || status === "Running";

/** Returns the name of an experiment; without one, what it compares. */
export const formatExperimentName = ({ displayName, agentId, revisions }: Experiment): string =>
  displayName ??
  `${agentId}, ${revisions.length === 1 ? "revision" : "revisions"} ${revisions.join(", ")}`;

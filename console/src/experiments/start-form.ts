import type { CreateExperimentBody } from "../../../client/openapi.ts";

/** Typed members of a new experiment. */
export type StartForm = {
  displayName: string;
  datasetId: string | undefined;
  version: string;
  split: string;
  agentId: string | undefined;
  revisions: string[];
  scorers: string[];
  repetitions: string | number;
  concurrency: string | number;
  maxCost: string | number;
};

/** The form of a new experiment. */
export const emptyStartForm: StartForm = {
  displayName: "",
  datasetId: undefined,
  version: "",
  split: "",
  agentId: undefined,
  revisions: [],
  scorers: [],
  repetitions: "",
  concurrency: "",
  maxCost: "",
};

/** Pointers that the fields show. */
export const startPointers = [
  "/displayName",
  "/datasetId",
  "/version",
  "/split",
  "/agentId",
  "/revisions",
  "/scorers",
  "/repetitions",
  "/concurrency",
  "/maxCost",
] as const;

/** Converts the form to the body; what was left empty has the API's default. */
export const toStartBody = (form: StartForm): CreateExperimentBody => {
  const { displayName, version, split, repetitions, concurrency, maxCost } = form;
  return {
    datasetId: form.datasetId ?? "",
    agentId: form.agentId ?? "",
    revisions: form.revisions.map(Number),
    scorers: form.scorers,
    ...(displayName !== "" && { displayName }),
    ...(version !== "" && { version: Number(version) }),
    ...(split !== "" && { split }),
    ...(repetitions !== "" && { repetitions: Number(repetitions) }),
    ...(concurrency !== "" && { concurrency: Number(concurrency) }),
    ...(maxCost !== "" && { maxCost: Number(maxCost) }),
  };
};

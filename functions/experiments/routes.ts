import { createDefineRoute } from "../../lib/edge/route.ts";
import {
  CreateExperimentBody,
  Experiment,
  ExperimentDetail,
  ExperimentPage,
  ExperimentResultPage,
  resultFilters,
} from "../../lib/evaluation/experiment/schemas.ts";
import { Uuid } from "../../lib/platform/http/ids.ts";
import { pagingQuery } from "../../lib/platform/http/paging.ts";

const route = createDefineRoute("experiments");
const params = { experiment: Uuid };

export const listExperiments = route({
  operation: "list-experiments",
  method: "GET",
  path: "/v1/tenants/{tenant}/experiments",
  summary: "Lists experiments, newest first",
  scope: "datasets:read",
  query: pagingQuery,
  response: { status: 200, schema: ExperimentPage },
  access: { table: "read" },
});

export const createExperiment = route({
  operation: "create-experiment",
  creates: "Experiment",
  method: "POST",
  path: "/v1/tenants/{tenant}/experiments",
  summary: "Runs revisions of an agent on a dataset and scores them; requires `agents:test` too",
  scope: "datasets:write",
  body: CreateExperimentBody,
  response: { status: 202, schema: Experiment },
  problems: ["conflict"],
  access: { table: "write", bucket: "write", secrets: "seal", publishes: ["experiments"] },
});

export const getExperiment = route({
  operation: "get-experiment",
  method: "GET",
  path: "/v1/tenants/{tenant}/experiments/{experiment}",
  summary: "Retrieves an experiment with its summary",
  scope: "datasets:read",
  params,
  response: { status: 200, schema: ExperimentDetail },
  access: { table: "read", bucket: "read" },
});

export const listExperimentResults = route({
  operation: "list-experiment-results",
  method: "GET",
  path: "/v1/tenants/{tenant}/experiments/{experiment}/results",
  summary: "Lists the results of an experiment, or its regressions",
  scope: "datasets:read",
  params,
  query: { ...pagingQuery, ...resultFilters },
  response: { status: 200, schema: ExperimentResultPage },
  access: { table: "read", bucket: "read" },
});

export const cancelExperiment = route({
  operation: "cancel-experiment",
  changes: "Experiment",
  method: "POST",
  path: "/v1/tenants/{tenant}/experiments/{experiment}:cancel",
  summary: "Cancels an experiment and its runs in progress",
  scope: "datasets:write",
  params,
  response: { status: 200, schema: Experiment },
  problems: ["conflict"],
  access: { table: "write" },
});

import { Agent } from "../../lib/agents/agent/schemas.ts";
import { CreateRevisionBody } from "../../lib/agents/revision/content.ts";
import { DeployRevisionBody } from "../../lib/agents/revision/deployment.ts";
import {
  CreatedRevision,
  HistoryPage,
  Revision,
  RevisionNumber,
  RevisionOrAll,
  RevisionPage,
} from "../../lib/agents/revision/schemas.ts";
import { createDefineRoute } from "../../lib/edge/route.ts";
import { executing, TestRevisionBody } from "../../lib/executions/schemas.ts";
import { ChosenId } from "../../lib/platform/http/ids.ts";
import { pagingQuery } from "../../lib/platform/http/paging.ts";
import { ModelUsageList, RevisionCost } from "../../lib/spending/usage/schemas.ts";

const route = createDefineRoute("revisions");

export const createRevision = route({
  operation: "create-revision",
  creates: "Revision",
  newId: "agentRevision",
  method: "POST",
  path: "/v1/tenants/{tenant}/agents/{agent}/revisions",
  summary: "Creates the next revision of an agent and validates its flow",
  scope: "revisions:write",
  params: { agent: ChosenId },
  body: CreateRevisionBody,
  response: { status: 201, schema: CreatedRevision },
  problems: ["conflict"],
  access: { table: "write", bucket: "write", secrets: "seal" },
});

export const listRevisions = route({
  operation: "list-revisions",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/revisions",
  summary: "Lists an agent's revisions, newest first",
  scope: "revisions:read",
  params: { agent: ChosenId },
  query: pagingQuery,
  response: { status: 200, schema: RevisionPage },
  access: { table: "read" },
});

export const getRevision = route({
  operation: "get-revision",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/revisions/{revision}",
  summary: "Retrieves a revision",
  scope: "revisions:read",
  params: { agent: ChosenId, revision: RevisionNumber },
  response: { status: 200, schema: Revision },
  access: { table: "read", bucket: "read" },
});

export const listHistory = route({
  operation: "list-history",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/history",
  summary: "Lists an agent's history, oldest first",
  scope: "revisions:read",
  params: { agent: ChosenId },
  query: pagingQuery,
  response: { status: 200, schema: HistoryPage },
  access: { table: "read" },
});

export const getRevisionCost = route({
  operation: "get-revision-cost",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/revisions/{revision}/cost",
  summary: "Retrieves the cost and usage of a revision's executions",
  scope: "revisions:read",
  params: { agent: ChosenId, revision: RevisionOrAll },
  response: { status: 200, schema: RevisionCost },
  access: { table: "read" },
});

export const listModelUsages = route({
  operation: "list-model-usages",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/revisions/{revision}/model-usages",
  summary: "Lists a revision's usage by model, the most expensive first",
  scope: "revisions:read",
  params: { agent: ChosenId, revision: RevisionOrAll },
  response: { status: 200, schema: ModelUsageList },
  access: { table: "read" },
});

export const deployRevision = route({
  operation: "deploy-revision",
  changes: "Revision",
  method: "POST",
  path: "/v1/tenants/{tenant}/agents/{agent}/revisions/{revision}:deploy",
  summary:
    "Deploys a revision, optionally only with minimum scores in an experiment; an older one rolls the agent back",
  scope: "revisions:deploy",
  params: { agent: ChosenId, revision: RevisionNumber },
  body: DeployRevisionBody,
  response: { status: 200, schema: Agent },
  problems: ["conflict"],
  access: { table: "write", bucket: "read", publishes: ["schedules"] },
});

export const testRevision = route({
  operation: "test-revision",
  concurrencyWeight: 2,
  method: "POST",
  path: "/v1/tenants/{tenant}/agents/{agent}/revisions/{revision}:test",
  summary: "Tests a revision, deployed or not, with the options of execute",
  scope: "agents:test",
  params: { agent: ChosenId, revision: RevisionNumber },
  body: TestRevisionBody,
  ...executing,
});

import { createDefineRoute } from "../../lib/edge/route.ts";
import {
  CreateFeedbackLinkBody,
  CreateScoreBody,
  executionParams,
  FeedbackBody,
  FeedbackLink,
  FeedbackToken,
  ScorePage,
} from "../../lib/evaluation/score/schemas.ts";
import { Score } from "../../lib/executions/scores.ts";
import { ChosenId } from "../../lib/platform/http/ids.ts";
import { pagingQuery } from "../../lib/platform/http/paging.ts";

const route = createDefineRoute("scores");

export const createScore = route({
  operation: "create-score",
  creates: "Score",
  method: "POST",
  path: "/v1/tenants/{tenant}/agents/{agent}/execution-records/{executionRecord}/scores",
  summary: "Scores an execution; a score with the same id is replaced",
  scope: "traces:write",
  params: executionParams,
  body: CreateScoreBody,
  response: { status: 201, schema: Score },
  problems: ["conflict"],
  access: { table: "write" },
});

export const listScores = route({
  operation: "list-scores",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/execution-records/{executionRecord}/scores",
  summary: "Lists the scores of an execution, oldest first",
  scope: "traces:read",
  params: executionParams,
  query: pagingQuery,
  response: { status: 200, schema: ScorePage },
  access: { table: "read" },
});

export const deleteScore = route({
  operation: "delete-score",
  changes: "Score",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/agents/{agent}/execution-records/{executionRecord}/scores/{score}",
  summary: "Deletes a score of an execution",
  scope: "traces:write",
  params: { ...executionParams, score: ChosenId },
  response: { status: 204 },
  problems: ["conflict"],
  access: { table: "write" },
});

export const createFeedbackLink = route({
  operation: "create-feedback-link",
  method: "POST",
  path: "/v1/tenants/{tenant}/agents/{agent}/execution-records/{executionRecord}:feedback-link",
  summary: "Creates an address that accepts one score of an execution without credentials",
  scope: "traces:write",
  params: executionParams,
  body: CreateFeedbackLinkBody,
  response: { status: 201, schema: FeedbackLink },
  shownOnce: ["url"],
  access: { table: "write", secrets: "seal" },
});

export const giveFeedback = route({
  operation: "give-feedback",
  method: "POST",
  path: "/v1/tenants/{tenant}/feedback/{feedbackToken}",
  summary: "Scores an execution by a feedback link, once",
  scope: "public",
  signed: true,
  params: { feedbackToken: FeedbackToken },
  body: FeedbackBody,
  response: { status: 204 },
  problems: ["credentials-expired", "conflict", "rate-limit-exceeded"],
  access: { table: "write", secrets: "open" },
});

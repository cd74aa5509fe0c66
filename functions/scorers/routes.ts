import { createDefineRoute } from "../../lib/edge/route.ts";
import {
  CreateScorerBody,
  Scorer,
  ScorerPage,
  UpdateScorerBody,
} from "../../lib/evaluation/scorer/schemas.ts";
import { ChosenId } from "../../lib/platform/http/ids.ts";
import { pagingQuery } from "../../lib/platform/http/paging.ts";

const route = createDefineRoute("scorers");
const params = { scorer: ChosenId.meta({ example: "correct" }) };

export const listScorers = route({
  operation: "list-scorers",
  method: "GET",
  path: "/v1/tenants/{tenant}/scorers",
  summary: "Lists scorers by id",
  scope: "datasets:read",
  query: pagingQuery,
  response: { status: 200, schema: ScorerPage },
  access: { table: "read" },
});

export const createScorer = route({
  operation: "create-scorer",
  creates: "Scorer",
  method: "POST",
  path: "/v1/tenants/{tenant}/scorers",
  summary: "Creates a scorer",
  scope: "datasets:write",
  body: CreateScorerBody,
  response: { status: 201, schema: Scorer },
  problems: ["conflict"],
  access: { table: "write", bucket: "write" },
});

export const getScorer = route({
  operation: "get-scorer",
  method: "GET",
  path: "/v1/tenants/{tenant}/scorers/{scorer}",
  summary: "Retrieves a scorer",
  scope: "datasets:read",
  params,
  response: { status: 200, schema: Scorer },
  access: { table: "read" },
});

export const updateScorer = route({
  operation: "update-scorer",
  changes: "Scorer",
  method: "PUT",
  path: "/v1/tenants/{tenant}/scorers/{scorer}",
  summary: "Updates the sent members of a scorer",
  scope: "datasets:write",
  params,
  body: UpdateScorerBody,
  response: { status: 200, schema: Scorer },
  problems: ["conflict"],
  access: { table: "write" },
});

export const deleteScorer = route({
  operation: "delete-scorer",
  changes: "Scorer",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/scorers/{scorer}",
  summary: "Deletes a scorer; experiments keep the one that they started with",
  scope: "datasets:write",
  params,
  response: { status: 204 },
  access: { table: "write" },
});

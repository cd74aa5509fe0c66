import {
  CheckGuardrailBody,
  CreateGuardrailBody,
  Guardrail,
  GuardrailPage,
  GuardrailResult,
  GuardrailRevision,
  GuardrailRevisionPage,
  UpdateGuardrailBody,
} from "../../lib/agents/guardrail/schemas.ts";
import { RevisionNumber } from "../../lib/agents/revision/schemas.ts";
import { createDefineRoute } from "../../lib/edge/route.ts";
import { ChosenId } from "../../lib/platform/http/ids.ts";
import { pagingQuery } from "../../lib/platform/http/paging.ts";

const route = createDefineRoute("guardrails");
const params = { guardrail: ChosenId.meta({ example: "privacy" }) };

export const listGuardrails = route({
  operation: "list-guardrails",
  method: "GET",
  path: "/v1/tenants/{tenant}/guardrails",
  summary: "Lists guardrails by id",
  scope: "agents:read",
  query: pagingQuery,
  response: { status: 200, schema: GuardrailPage },
  access: { table: "read" },
});

export const createGuardrail = route({
  operation: "create-guardrail",
  creates: "Guardrail",
  method: "POST",
  path: "/v1/tenants/{tenant}/guardrails",
  summary: "Creates a guardrail",
  scope: "agents:write",
  body: CreateGuardrailBody,
  response: { status: 201, schema: Guardrail },
  problems: ["conflict"],
  access: { table: "write" },
});

export const getGuardrail = route({
  operation: "get-guardrail",
  method: "GET",
  path: "/v1/tenants/{tenant}/guardrails/{guardrail}",
  summary: "Retrieves a guardrail in its latest revision",
  scope: "agents:read",
  params,
  response: { status: 200, schema: Guardrail },
  access: { table: "read" },
});

export const updateGuardrail = route({
  operation: "update-guardrail",
  changes: "Guardrail",
  method: "PUT",
  path: "/v1/tenants/{tenant}/guardrails/{guardrail}",
  summary: "Updates the sent members of a guardrail, in a new revision",
  scope: "agents:write",
  params,
  body: UpdateGuardrailBody,
  response: { status: 200, schema: Guardrail },
  problems: ["conflict"],
  access: { table: "write" },
});

export const deleteGuardrail = route({
  operation: "delete-guardrail",
  changes: "Guardrail",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/guardrails/{guardrail}",
  summary: "Deletes a guardrail with its revisions",
  scope: "agents:write",
  params,
  response: { status: 204 },
  problems: ["conflict"],
  access: { table: "write" },
});

export const listGuardrailRevisions = route({
  operation: "list-guardrail-revisions",
  method: "GET",
  path: "/v1/tenants/{tenant}/guardrails/{guardrail}/revisions",
  summary: "Lists the revisions of a guardrail, newest first",
  scope: "agents:read",
  params,
  query: pagingQuery,
  response: { status: 200, schema: GuardrailRevisionPage },
  access: { table: "read" },
});

export const getGuardrailRevision = route({
  operation: "get-guardrail-revision",
  method: "GET",
  path: "/v1/tenants/{tenant}/guardrails/{guardrail}/revisions/{revision}",
  summary: "Retrieves a revision of a guardrail",
  scope: "agents:read",
  params: { ...params, revision: RevisionNumber },
  response: { status: 200, schema: GuardrailRevision },
  access: { table: "read" },
});

export const checkGuardrail = route({
  operation: "check-guardrail",
  method: "POST",
  path: "/v1/tenants/{tenant}/guardrails/{guardrail}:check",
  summary: "Applies a guardrail to a value without storing it",
  scope: "agents:read",
  params,
  body: CheckGuardrailBody,
  response: { status: 200, schema: GuardrailResult },
  slots: "call",
  access: { table: "write", secrets: "open", models: true },
});

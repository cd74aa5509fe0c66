import { createDefineRoute } from "../../lib/edge/route.ts";
import { OnlineEvaluation, PutOnlineEvaluationBody } from "../../lib/evaluation/online/schemas.ts";
import { ChosenId } from "../../lib/platform/http/ids.ts";

const route = createDefineRoute("online-evaluations");

export const getOnlineEvaluation = route({
  operation: "get-online-evaluation",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/online-evaluation",
  summary: "Retrieves the settings of an agent's online evaluation",
  scope: "agents:read",
  params: { agent: ChosenId },
  response: { status: 200, schema: OnlineEvaluation },
  access: { table: "read" },
});

export const putOnlineEvaluation = route({
  operation: "put-online-evaluation",
  changes: "OnlineEvaluation",
  method: "PUT",
  path: "/v1/tenants/{tenant}/agents/{agent}/online-evaluation",
  summary: "Sets the executions of an agent to score in the background, and their scorers",
  scope: "agents:write",
  params: { agent: ChosenId },
  body: PutOnlineEvaluationBody,
  response: { status: 200, schema: OnlineEvaluation },
  access: { table: "write" },
});

export const deleteOnlineEvaluation = route({
  operation: "delete-online-evaluation",
  changes: "OnlineEvaluation",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/agents/{agent}/online-evaluation",
  summary: "Ends the scoring of an agent's executions in the background",
  scope: "agents:write",
  params: { agent: ChosenId },
  response: { status: 204 },
  access: { table: "write" },
});

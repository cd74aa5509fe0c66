import * as z from "zod";
import { createDefineRoute } from "../../lib/edge/route.ts";
import { ChosenId } from "../../lib/platform/http/ids.ts";
import {
  Collaborator,
  PutCollaboratorBody,
  UserId,
} from "../../lib/tenancy/collaborator/schemas.ts";

const route = createDefineRoute("collaborators");

export const listCollaborators = route({
  operation: "list-collaborators",
  method: "GET",
  path: "/v1/tenants/{tenant}/agents/{agent}/collaborators",
  summary: "Lists an agent's collaborators by user id",
  scope: "agents:read",
  params: { agent: ChosenId },
  response: { status: 200, schema: z.array(Collaborator) },
  access: { table: "read" },
});

export const putCollaborator = route({
  operation: "put-collaborator",
  changes: "Collaborator",
  method: "PUT",
  path: "/v1/tenants/{tenant}/agents/{agent}/collaborators/{user}",
  summary: "Invites a user to an agent or updates their role and alert preferences",
  scope: "agents:write",
  role: "Owner",
  params: { agent: ChosenId, user: UserId },
  body: PutCollaboratorBody,
  response: { status: 200, schema: Collaborator },
  problems: ["conflict"],
  access: { table: "write" },
});

export const deleteCollaborator = route({
  operation: "delete-collaborator",
  changes: "Collaborator",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/agents/{agent}/collaborators/{user}",
  summary: "Removes a collaborator from an agent",
  scope: "agents:write",
  role: "Owner",
  params: { agent: ChosenId, user: UserId },
  response: { status: 204 },
  problems: ["conflict"],
  access: { table: "write" },
});

import { createDefineRoute } from "../../lib/edge/route.ts";
import {
  CreateEventDestinationBody,
  EventDestination,
  EventDestinationPage,
  EventDestinationTest,
  UpdateEventDestinationBody,
} from "../../lib/notifications/destination/schemas.ts";
import { Uuid } from "../../lib/platform/http/ids.ts";
import { pagingQuery } from "../../lib/platform/http/paging.ts";

const route = createDefineRoute("event-destinations");
const params = { destination: Uuid.meta({ example: "0193f0a0-7c4b-7000-8000-000000000007" }) };

export const listEventDestinations = route({
  operation: "list-event-destinations",
  method: "GET",
  path: "/v1/tenants/{tenant}/event-destinations",
  summary: "Lists the organization's event destinations, oldest first",
  scope: "organization:read",
  query: pagingQuery,
  response: { status: 200, schema: EventDestinationPage },
  access: { table: "read" },
});

export const createEventDestination = route({
  operation: "create-event-destination",
  creates: "EventDestination",
  method: "POST",
  path: "/v1/tenants/{tenant}/event-destinations",
  summary: "Creates an event destination for the events of all the organization's tenants",
  scope: "organization:write",
  body: CreateEventDestinationBody,
  response: { status: 201, schema: EventDestination },
  shownOnce: ["signingSecret"],
  problems: ["conflict", "scope-escalation"],
  access: { table: "write", secrets: "seal" },
});

export const getEventDestination = route({
  operation: "get-event-destination",
  method: "GET",
  path: "/v1/tenants/{tenant}/event-destinations/{destination}",
  summary: "Retrieves an event destination",
  scope: "organization:read",
  params,
  response: { status: 200, schema: EventDestination },
  access: { table: "read" },
});

export const updateEventDestination = route({
  operation: "update-event-destination",
  changes: "EventDestination",
  method: "PATCH",
  path: "/v1/tenants/{tenant}/event-destinations/{destination}",
  summary: "Updates an event destination or rotates its signing secret",
  scope: "organization:write",
  params,
  body: UpdateEventDestinationBody,
  response: { status: 200, schema: EventDestination },
  shownOnce: ["signingSecret"],
  problems: ["conflict", "scope-escalation"],
  access: { table: "write", secrets: "seal" },
});

export const deleteEventDestination = route({
  operation: "delete-event-destination",
  changes: "EventDestination",
  method: "DELETE",
  path: "/v1/tenants/{tenant}/event-destinations/{destination}",
  summary: "Deletes an event destination and drops its pending events",
  scope: "organization:write",
  params,
  response: { status: 204 },
  access: { table: "write" },
});

export const testEventDestination = route({
  operation: "test-event-destination",
  method: "POST",
  path: "/v1/tenants/{tenant}/event-destinations/{destination}:test",
  summary: "Sends a sample event to an event destination and returns the response status",
  scope: "organization:write",
  params,
  response: { status: 200, schema: EventDestinationTest },
  problems: ["upstream-failed", "upstream-timeout"],
  access: { table: "write", secrets: "open" },
  slots: "call",
});

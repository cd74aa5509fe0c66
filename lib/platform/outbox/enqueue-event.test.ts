import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { enqueueEvent } from "./enqueue-event.ts";
import { OrganizationEvent, organizationEventTypes } from "./organization-event.ts";

const event: OrganizationEvent = {
  id: `api_key.issued:${randomUUID()}`,
  type: "api_key.issued",
  organizationId: "acme",
  tenantId: null,
  agentId: null,
  occurredAt: 0,
  data: {},
};

test("an event is queued for its organization", async () => {
  const sent: unknown[] = [];
  await enqueueEvent(async (...message) => {
    sent.push(message);
  }, event);
  expect(sent).toEqual([["events", "acme", { type: "publish-event", event }]]);
});

test("a queue that fails is left to the next sweep of the outbox: the caller does not fail", async () => {
  let attempts = 0;
  const send = async () => {
    attempts += 1;
    throw new Error("the queue is down");
  };
  expect(await enqueueEvent(send, event)).toBeUndefined();
  expect(attempts).toBe(1);
});

test.each(organizationEventTypes)(
  "an event of type %s can be stored; one without its organization cannot",
  (type) => {
    expect(OrganizationEvent.parse({ ...event, type })).toEqual({ ...event, type });
    expect(OrganizationEvent.safeParse({ ...event, organizationId: undefined }).success).toBe(
      false,
    );
  },
);

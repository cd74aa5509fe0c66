import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { everyProvider } from "../../../test/harness/webhooks.ts";
import { findEventTypes } from "../../vendors/registry/find-event-types.ts";
import { checkEventTypes } from "./check-event-types.ts";

test.each(everyProvider)("every sample event of $id may be subscribed to", ({ id, sample }) => {
  expect(checkEventTypes(id, Object.keys(sample.events))).toEqual([]);
});

test("an event type is refused if its provider's list is complete, or has a name near to it", () => {
  expect(checkEventTypes("github", ["issues.opened", "new_thing"])).toEqual([
    {
      pointer: "/eventTypes/0",
      detail: 'is not an event type of GitHub; did you mean "issues"?',
    },
    { pointer: "/eventTypes/1", detail: "is not an event type of GitHub" },
  ]);
  expect(checkEventTypes("telegram", ["mesage", "brand_new_thing"])).toEqual([
    {
      pointer: "/eventTypes/0",
      detail: 'is not an event type of Telegram; did you mean "message"?',
    },
  ]);
  for (const id of ["generic", "standard", "teams", "meta"]) {
    expect(checkEventTypes(id, ["anything"])).toEqual([]);
  }
});

test.each([
  ["stripe", "invoice.payed", "invoice.paid"],
  ["stripe", "v2.core.account.udpated", "v2.core.account.updated"],
  ["shopify", "order/create", "orders/create"],
  ["slack", "app_mentoin", "app_mention"],
  ["slack", "message.channels", "message"],
  ["linear", "Isue", "Issue"],
  ["linear", "Issue.create", "Issue"],
  ["zoom", "meeting.startd", "meeting.started"],
  ["discord", "APLICATION_COMMAND", "APPLICATION_COMMAND"],
  ["jira", "jira:issue_create", "jira:issue_created"],
  ["notion", "page.contents_updated", "page.content_updated"],
  ["zendesk", "zen:event-type:ticket.create", "zen:event-type:ticket.created"],
  ["gitlab", "merge_requests", "merge_request"],
])("of %s, %s is refused as a misspelling of %s", (id, type, nearest) => {
  expect(checkEventTypes(id, [type])).toEqual([
    {
      pointer: "/eventTypes/0",
      detail: expect.stringContaining(`; did you mean "${nearest}"?`),
    },
  ]);
});

test("an unknown name that does not resemble a known one is accepted", () => {
  const newer = {
    gitlab: ["foo", "merge_train"],
    stripe: ["invoice.settled", "lamp.created"],
    shopify: ["orders/archived"],
    slack: ["/deploy", "canvas_created"],
    linear: ["Case", "Roadmap"],
    zoom: ["meeting.translated"],
    discord: ["ENTITLEMENT_GIFT"],
    jira: ["issue_created", "goal_created"],
    notion: ["page.archived"],
    zendesk: ["ticket.created", "my-own-type"],
  };
  for (const [id, types] of Object.entries(newer)) expect(checkEventTypes(id, types)).toEqual([]);
});

test.each(everyProvider)("every known event type of $id is listed once, and accepted", ({ id }) => {
  const names = findEventTypes(id)?.names ?? [];
  expect(new Set(names).size).toBe(names.length);
  expect(checkEventTypes(id, names)).toEqual([]);
});

test("the event types of Stripe are those of its SDK's types", () => {
  const declared = ["Events.d.ts", "V2/Core/Events.d.ts"].flatMap((name) => {
    const file = `../../../node_modules/stripe/esm/resources/${name}`;
    const text = readFileSync(new URL(file, import.meta.url), "utf8");
    return [...text.matchAll(/^ +type: '([^']+)';$/gm)].map(([, type = ""]) => type);
  });
  expect(declared).toContain("v2.core.account.updated");
  expect([...(findEventTypes("stripe")?.names ?? [])].toSorted()).toEqual(
    [...new Set(declared)].toSorted(),
  );
});

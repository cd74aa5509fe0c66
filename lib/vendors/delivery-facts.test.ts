import { describe, expect, test } from "vitest";
import {
  describeDelivery,
  webhookNow as now,
  providerAndSample,
  toInbound,
} from "../../test/harness/webhooks.ts";
import { formRequest, jsonRequest } from "./webhook-sample.ts";

describe("GitHub", () => {
  test("the form that it can send is read as the JSON in it", () => {
    const form = formRequest({ payload: JSON.stringify({ zen: "Half.", hook_id: 1 }) });
    const headers = { ...form.headers, "x-github-event": "ping", "x-github-delivery": "d1" };
    expect(describeDelivery("github", { ...form, headers })).toEqual({
      eventType: "ping",
      deliveryId: "d1",
    });
  });
});

describe("GitLab", () => {
  test("the event is named by the body, never by the header", () => {
    const headers = { "x-gitlab-event": "Push Hook" };
    expect(
      describeDelivery("gitlab", jsonRequest({ object_kind: "issue" }, headers)).eventType,
    ).toBe("issue");
    expect(describeDelivery("gitlab", jsonRequest({}, headers)).eventType).toBeNull();
    const system = jsonRequest({ event_name: "project_create" });
    expect(describeDelivery("gitlab", system).eventType).toBe("project_create");
  });

  test("events that one event caused share a UUID but are not the same", () => {
    const event = (kind: string, headers: Readonly<Record<string, string>>) =>
      describeDelivery("gitlab", jsonRequest({ object_kind: kind }, headers)).deliveryId;
    const uuid = { "x-gitlab-event-uuid": "u1" };
    expect(event("push", uuid)).toBe(event("push", uuid));
    expect(event("push", uuid)).not.toBe(event("pipeline", uuid));
    expect(event("push", { ...uuid, "idempotency-key": "k1" })).toBe("k1");
    expect(event("push", {})).toBeNull();
  });

  test("a secret token is compared; a valid signature does not make up for a wrong token", () => {
    const { provider, sample } = providerAndSample("gitlab");
    const request = jsonRequest({ object_kind: "push" });
    const token = toInbound(sample.sign(request, "my token", now));
    expect(provider.signing.verify(token, "my token", now)).toBe(true);
    expect(provider.signing.verify(token, "my toke", now)).toBe(false);
    const key = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
    const forged = { "webhook-signature": "v1,AAAA", "x-gitlab-token": key };
    const both = toInbound({ ...request, headers: { ...request.headers, ...forged } });
    expect(provider.signing.verify(both, key, now)).toBe(false);
  });
});

describe("Shopify", () => {
  const order = { id: 1, admin_graphql_api_id: "gid://shopify/Order/1" };
  const topic = (name: string, body: unknown, event = "e1") =>
    describeDelivery(
      "shopify",
      jsonRequest(body, { "x-shopify-topic": name, "x-shopify-event-id": event }),
    );

  test("a signed order keeps its type, whatever the unsigned topic claims", () => {
    expect(topic("orders/paid", order).eventType).toBe("orders/paid");
    for (const other of ["products/update", "app/uninstalled", "constructor/x"]) {
      expect(topic(other, order).eventType).toBeNull();
    }
    expect(topic("orders/delete", { id: 1 }).eventType).toBe("orders/delete");
  });

  test("one event sent for two topics is two deliveries, sent again it is one", () => {
    const [created, paid] = [topic("orders/create", order), topic("orders/paid", order)];
    expect(created.deliveryId).not.toBe(paid.deliveryId);
    expect(topic("orders/create", order)).toEqual(created);
    expect(topic("orders/create", order, "e2")).not.toEqual(created);
  });

  test("newer events have the same headers without x-", () => {
    const headers = { "shopify-topic": "orders/create", "shopify-event-id": "e1" };
    expect(describeDelivery("shopify", jsonRequest(order, headers))).toEqual(
      topic("orders/create", order),
    );
  });
});

describe("Microsoft Graph", () => {
  const change = (changes: Readonly<Record<string, unknown>> = {}) => ({
    subscriptionId: "s",
    changeType: "updated",
    resource: "users/1/messages/2",
    ...changes,
  });
  const batch = (...value: unknown[]) => describeDelivery("teams", jsonRequest({ value }));

  test("a batch is the same in any order, and another with another version", () => {
    const one = change({ resourceData: { id: "1", "@odata.etag": "a" } });
    const two = change({ resourceData: { id: "2", "@odata.etag": "a" } });
    const again = change({ resourceData: { id: "1", "@odata.etag": "b" } });
    expect(batch(one, two)).toEqual(batch(two, one));
    expect(batch(one).deliveryId).not.toBe(batch(again).deliveryId);
    expect(batch(one).deliveryId).not.toBe(batch(one, two).deliveryId);
  });

  test("updates that nothing distinguishes are never treated as duplicates", () => {
    expect(batch(change()).deliveryId).toBeNull();
    expect(batch(change({ id: "n1" }), change()).deliveryId).toBeNull();
    expect(batch(change({ id: "n1" })).deliveryId).toMatch(/^sha256:/);
    expect(batch(change({ changeType: "deleted" })).deliveryId).toMatch(/^sha256:/);
  });

  test("a batch is named when its items agree, a lifecycle event by that", () => {
    expect(batch(change(), change()).eventType).toBe("updated");
    expect(batch(change(), change({ changeType: "created" })).eventType).toBeNull();
    const lifecycle = { subscriptionId: "s", lifecycleEvent: "reauthorizationRequired" };
    expect(batch(lifecycle).eventType).toBe("reauthorizationRequired");
  });
});

describe("Linear", () => {
  const { provider, sample } = providerAndSample("linear");
  const verify = (value: unknown, headers = {}) =>
    provider.signing.verify(
      toInbound(sample.sign(jsonRequest(value, headers), "s", now)),
      "s",
      now,
    );

  test("the body's signed time decides; a header's only where the body has none", () => {
    const fresh = { "linear-timestamp": String(now) };
    const old = { "linear-timestamp": String(now - 61_000) };
    expect(verify({ webhookTimestamp: now - 61_000 }, fresh)).toBe(false);
    expect(verify({ webhookTimestamp: now }, old)).toBe(true);
    expect(verify({}, old)).toBe(false);
    expect(verify({}, { "linear-timestamp": "soon" })).toBe(false);
    expect(verify({}, fresh)).toBe(true);
  });

  test("the event is named by the body, never by the header", () => {
    const sent = jsonRequest({ type: "Issue" }, { "linear-event": "Comment" });
    expect(describeDelivery("linear", sent).eventType).toBe("Issue");
  });
});

describe("Meta", () => {
  const field = (name: string) => ({ changes: [{ field: name, value: {} }] });
  const describeEvent = (object: string, ...entry: unknown[]) =>
    describeDelivery("meta", jsonRequest({ object, entry })).eventType;

  test("is named by object and field, and by the object alone where the fields differ", () => {
    expect(describeEvent("page", field("feed"), field("feed"))).toBe("page.feed");
    expect(describeEvent("page", field("feed"), field("mention"))).toBe("page");
    expect(describeEvent("page", { messaging: [{}] })).toBe("page.messaging");
    expect(describeEvent("page")).toBe("page");
  });
});

test("the type of Telegram's update is the name of its content", () => {
  const update = jsonRequest({ update_id: 7, callback_query: { id: "1" } });
  expect(describeDelivery("telegram", update)).toEqual({
    eventType: "callback_query",
    deliveryId: "7",
  });
  expect(describeDelivery("telegram", jsonRequest({ hello: 1 }))).toEqual({
    eventType: null,
    deliveryId: null,
  });
});

test("Slack's buttons, commands and events have different event types and ids", () => {
  const { events } = providerAndSample("slack").sample;
  expect(describeDelivery("slack", events.block_actions!(now)).eventType).toBe("block_actions");
  expect(describeDelivery("slack", events["/hello"]!(now)).deliveryId).toMatch(/^1\.2\./);
  expect(describeDelivery("slack", events.app_mention!(now)).deliveryId).toMatch(/^Ev/);
});

test("Zendesk's event id in the body counts before that in the header", () => {
  const headers = { "x-zendesk-webhook-invocation-id": "i1" };
  const event = { type: "zen:event-type:user.created", id: "e1" };
  expect(describeDelivery("zendesk", jsonRequest(event, headers)).deliveryId).toBe("e1");
  expect(describeDelivery("zendesk", jsonRequest({ id: "7" }, headers)).deliveryId).toBe("i1");
});

test("Zoom's deliveries are the same when event, time and content are", () => {
  const event = (changes: Readonly<Record<string, unknown>> = {}) =>
    describeDelivery(
      "zoom",
      jsonRequest({ event: "a", event_ts: 1, payload: { b: 1 }, ...changes }),
    ).deliveryId;
  expect(event({ extra: 1 })).toBe(event());
  for (const changes of [{ event: "b" }, { event_ts: 2 }, { payload: { b: 2 } }]) {
    expect(event(changes)).not.toBe(event());
  }
  expect(event({ event_ts: undefined })).toBeNull();
});

test("a generic event's type comes from the body first, and it has no id unless it contains one", () => {
  const headers = { "x-event-type": "header", "idempotency-key": "k1" };
  expect(describeDelivery("generic", jsonRequest({ type: "body" }, headers))).toEqual({
    eventType: "body",
    deliveryId: "k1",
  });
  expect(describeDelivery("generic", jsonRequest({}, headers)).eventType).toBe("header");
  expect(describeDelivery("generic", jsonRequest({}))).toEqual({
    eventType: null,
    deliveryId: null,
  });
});

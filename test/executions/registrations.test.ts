import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, test } from "vitest";
import * as z from "zod";
import type { SampleRequest } from "../../lib/vendors/webhook-sample.ts";
import { call, newOrganization } from "../harness/api.ts";
import { type ListenerServer, startListenerServer } from "../harness/listener-server.ts";
import { createKey, providerAndSample } from "../harness/webhooks.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;
type Listener = ListenerServer["listeners"][number];

const Created = z.looseObject({ id: z.string() });
const Webhook = z.looseObject({ id: z.string(), webhookUrl: z.string() });
const Deliveries = z.object({
  items: z.array(
    z.looseObject({
      eventType: z.string().nullable(),
      results: z.array(z.looseObject({ status: z.string() })),
    }),
  ),
});
const Github = z.looseObject({ config: z.looseObject({ secret: z.string() }) });

/** Settings of a webhook, a context that the provider rejects, and the secret of its listener. */
type Vendor = {
  webhook: { externalContext?: string; filter?: string };
  settings: object;
  unknownContext?: string;
  readSecret: (listener: Listener, ownSecret: string) => string;
};
const vendors = {
  github: {
    webhook: { externalContext: "acme/app", filter: "push,issues" },
    settings: { events: ["push", "issues"] },
    unknownContext: "acme/unknown",
    readSecret: ({ settings }) => Github.parse(settings).config.secret,
  },
  gitlab: {
    webhook: { externalContext: "acme/tools/app", filter: "push" },
    settings: { push_events: true, issues_events: false },
    unknownContext: "acme/unknown",
    readSecret: ({ settings }) => z.string().parse(settings.token),
  },
  jira: {
    webhook: { externalContext: "https://acme.atlassian.net", filter: "project = APP" },
    settings: { jqlFilter: "project = APP" },
    // The app's client secret, which Jira has and a listener is not given.
    readSecret: (_, ownSecret) => ownSecret,
  },
  linear: {
    webhook: { filter: "Issue" },
    settings: { resourceTypes: ["Issue"] },
    readSecret: ({ settings }) => z.string().parse(settings.secret),
  },
  telegram: {
    webhook: { filter: "message" },
    settings: { allowed_updates: ["message"] },
    readSecret: ({ settings }) => z.string().parse(settings.secret_token),
  },
} as const satisfies Record<string, Vendor>;
type VendorId = keyof typeof vendors;

let own: Organization;
const servers = new Map<VendorId, ListenerServer>();

const findServer = (id: VendorId): ListenerServer => {
  const server = servers.get(id);
  if (server === undefined) throw new Error(`no stand-in for ${id}`);
  return server;
};

beforeAll(async () => {
  own = await newOrganization();
  await own.deployAgent("hello", {});
  for (const id of Object.keys(vendors) as VendorId[]) {
    const server = await startListenerServer(id);
    servers.set(id, server);
    const config = await own.send("POST", "/integration-configs", {
      integrationId: id,
      parameters: { baseUrl: server.url },
      auth: { parameters: server.auth },
    });
    await own.send("POST", `/integration-configs/${Created.parse(config.body).id}:publish`);
  }
});
afterAll(async () => {
  for (const server of servers.values()) await server.close();
});

/** A delivery as the provider sends it to a listener with this secret. */
const buildDelivery = async (id: VendorId, secret: string): Promise<SampleRequest> => {
  const { sample } = providerAndSample(id);
  const [make] = Object.values(sample.events);
  if (make === undefined) throw new Error(`${id} has no sample`);
  const request = make(Date.now());
  if (id !== "jira") return sample.sign(request, secret, Date.now());
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: "HS256" })
    .setIssuedAt()
    .setExpirationTime("5m")
    .sign(Buffer.from(secret));
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
};

describe.concurrent.each(Object.entries(vendors) as [VendorId, Vendor][])(
  "a %s webhook with a published integration config for its provider",
  (id, { webhook: wanted, settings, unknownContext, readSecret }) => {
    test("gets a listener at the provider, receives its events, and removes it when deleted", {
      tags: "nightly",
    }, async ({ expect }) => {
      const server = findServer(id);
      const { secret: signingSecret } = createKey(providerAndSample(id).sample);
      const created = await own.send("POST", "/webhooks", {
        provider: id,
        signingSecret,
        ...wanted,
      });
      expect(created.body).toMatchObject({ status: "PENDING", statusReason: null });
      const webhook = Webhook.parse(created.body);
      const path = `/webhooks/${webhook.id}`;
      await expect
        .poll(async () => (await own.send("GET", path)).body, { timeout: 30_000 })
        .toMatchObject({ status: "ACTIVE" });
      const [listener] = server.listeners;
      expect(server.listeners).toMatchObject([{ url: webhook.webhookUrl, settings }]);
      if (listener === undefined) throw new Error("no listener");

      await own.send("POST", `${path}/subscriptions`, {
        subscriberType: "Agent",
        subscriberId: "hello",
      });
      const { headers, body: raw } = await buildDelivery(id, readSecret(listener, signingSecret));
      const { pathname } = new URL(listener.url);
      const received = await call("POST", pathname, { raw, headers });
      expect(received.status, received.text).toBeLessThan(300);
      await expect
        .poll(
          async () => Deliveries.parse((await own.send("GET", `${path}/deliveries`)).body).items,
          { timeout: 30_000 },
        )
        .toMatchObject([
          {
            eventType: Object.keys(providerAndSample(id).sample.events)[0],
            results: [{ status: "Succeeded" }],
          },
        ]);

      await own.send("DELETE", path);
      await expect.poll(() => server.listeners, { timeout: 30_000 }).toEqual([]);
      expect((await call("POST", pathname, { raw, headers })).status).toBe(404);
    });

    if (unknownContext !== undefined)
      test("fails with the reason when the provider rejects it", { tags: "nightly" }, async ({
        expect,
      }) => {
        const created = await own.send("POST", "/webhooks", {
          provider: id,
          externalContext: unknownContext,
        });
        const { id: webhook } = Created.parse(created.body);
        await expect
          .poll(async () => (await own.send("GET", `/webhooks/${webhook}`)).body, {
            timeout: 30_000,
          })
          .toMatchObject({ status: "FAILED", statusReason: expect.stringContaining("(404)") });
      });
  },
);

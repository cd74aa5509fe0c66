import { beforeAll, describe, test } from "vitest";
import * as z from "zod";
import type { SampleRequest } from "../../../lib/vendors/webhook-sample.ts";
import { call, newOrganization } from "../../harness/api.ts";
import {
  createKey,
  everyProvider,
  providerAndSample,
  readPayload,
  toInbound,
} from "../../harness/webhooks.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;
type EveryProvider = (typeof everyProvider)[number];

const Webhook = z.looseObject({ id: z.string() });
const Deliveries = z.object({
  items: z.array(
    z.looseObject({
      eventType: z.string().nullable(),
      results: z.array(z.looseObject({ status: z.string(), executionId: z.string() })),
    }),
  ),
});
const Executed = z.looseObject({ output: z.unknown() });

let own: Organization;
let key: string;
beforeAll(async () => {
  own = await newOrganization();
  key = await own.mintKey(["inbound:deliver"]);
  await own.deployAgent("listener", {
    parametersMetadata: [{ name: "event", type: "Json" }],
    flow: {
      steps: [{ id: "out", type: "Output", value: "{% input.event.eventType %}" }],
      edges: [],
    },
  });
});

const createWebhook = async (provider: string, signingSecret: string): Promise<string> => {
  const created = await own.send("POST", "/webhooks", { provider, signingSecret });
  return Webhook.parse(created.body).id;
};

const post = (path: string, { headers, body: raw }: SampleRequest) =>
  call("POST", path, { raw, headers });

/** A provider's samples, signed: its checks of the address with their response, and its deliveries by event type. */
const signSamples = ({ provider, sample }: EveryProvider, signer: string, secret: string) => {
  const samples = Object.entries(sample.events).map(([event, make]) => {
    const signed = (now: number) => sample.sign(make(now), signer, now);
    const request = toInbound(signed(Date.now()));
    const handshake = provider.handshake?.(request, readPayload(request), secret);
    return { event, make, signed, response: handshake?.response };
  });
  return {
    handshakes: samples.filter(({ response }) => response !== undefined),
    deliveries: samples.filter(({ response }) => response === undefined),
  };
};

/** Without the provider's signature, unless the sample always bears one. */
const unsignedOr = ({ provider, sample }: EveryProvider, request: SampleRequest, signer: string) =>
  provider.signing.isSigned(toInbound(request))
    ? sample.sign(request, signer, Date.now())
    : request;

describe.concurrent.each(everyProvider)("a webhook of $id", (provider) => {
  const { id, sample } = provider;
  const { key: signer, secret } = createKey(sample);
  const { deliveries, handshakes } = signSamples(provider, signer, secret);

  test("receives events by their signature and by a key in the path, and runs its agent once per event", {
    timeout: 90_000,
  }, async ({ expect }) => {
    const webhook = await createWebhook(id, secret);
    const path = `${own.base}/webhooks/${id}/${webhook}`;
    await own.send("POST", `/webhooks/${webhook}/subscriptions`, {
      subscriberType: "Agent",
      subscriberId: "listener",
    });
    const now = Date.now();
    const [first, ...others] = deliveries;
    if (first === undefined) throw new Error(`${id} has no sample of a delivery`);
    const repeated = first.signed(now);
    const accepted = [
      [path, repeated],
      [path, repeated],
      [`${path}/${key}`, unsignedOr(provider, first.make(now + 1_000), signer)],
      ...others.map((other) => [path, other.signed(now)] as const),
    ] as const;
    for (const [to, request] of accepted) {
      const received = await post(to, request);
      expect(received.status, received.text).toBeLessThan(300);
    }
    const forged = await post(path, sample.sign(first.make(now), createKey(sample).key, now));
    expect(forged.status).toBe(401);
    const expected = [first, ...deliveries].map(({ event }) => event);
    const executed = async () => {
      const { body } = await own.send("GET", `/webhooks/${webhook}/deliveries`);
      const { items } = Deliveries.parse(body);
      const results = items.flatMap(({ eventType, results }) =>
        results.map((result) => ({ ...result, eventType })),
      );
      return results.filter(({ status }) => status === "Succeeded");
    };
    await expect
      .poll(async () => (await executed()).map(({ eventType }) => eventType).sort(), {
        timeout: 50_000,
      })
      .toEqual(expected.sort());
    const [result] = await executed();
    const record = await own.send(
      "GET",
      `/agents/listener/execution-records/${result?.executionId}`,
    );
    expect(Executed.parse(record.body).output).toBe(result?.eventType);
  });

  if (handshakes.length > 0)
    test("responds to a check of its address as the provider expects", async ({ expect }) => {
      const path = `${own.base}/webhooks/${id}/${await createWebhook(id, secret)}`;
      for (const { event, signed, response } of handshakes) {
        for (const to of [path, `${path}/${key}`]) {
          const { status, text } = await post(to, signed(Date.now()));
          expect([event, status, text]).toEqual([event, response?.status, response?.body ?? ""]);
        }
      }
    });
});

test("a webhook of teams responds to the check of its address with the token in the query", async ({
  expect,
}) => {
  const { secret } = createKey(providerAndSample("teams").sample);
  const webhook = await createWebhook("teams", secret);
  const path = `${own.base}/webhooks/teams/${webhook}?validationToken=a%20token`;
  const { status, text } = await call("POST", path, {});
  expect([status, text]).toEqual([200, "a token"]);
});

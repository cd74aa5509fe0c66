import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { consumers } from "../../functions/workers/messages.ts";
import { credentialsFor } from "../../infra/local/access/credentials.ts";
import { localAccount, localRegion } from "../../infra/local/template/physical.ts";
import { deadLetterQueueName, queueName } from "../../infra/settings/names.ts";
import { jsonDictionary } from "../../lib/platform/db/json-dictionary.ts";
import { orderedQueues, queueNames } from "../../lib/platform/queue/queues.ts";
import { newUuid, systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { newOrganization, stack } from "../harness/api.ts";
import { listen } from "../harness/listen.ts";
import { tableOfStack } from "../harness/stack-table.ts";
import { readExample } from "../suites/sample-request.ts";

/*
 * Messages as deployed versions queue them, with the items that they write at the same time. A deployment leaves such
 * messages to the new version. A file is named TYPE.json; a changed message gets another file, named for the change.
 */
const folder = join(import.meta.dirname, "../fixtures/messages");
const files = readdirSync(folder).sort();

const Text = z.strictObject({ json: z.string() });

/** Packs the values that a file has as `{json}`, so that it can be read. */
const packTexts = (value: unknown, pack: (bytes: Buffer) => unknown): unknown => {
  const { data } = Text.safeParse(value);
  if (data) return { deflate: pack(deflateRawSync(data.json, { dictionary: jsonDictionary })) };
  if (Array.isArray(value)) return value.map((item) => packTexts(item, pack));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, packTexts(member, pack)]);
  return Object.fromEntries(members);
};

const Recorded = z.object({
  queue: z.enum(queueNames),
  body: z
    .unknown()
    .transform((body) => packTexts(body, (bytes) => bytes.toString("base64")))
    .pipe(z.looseObject({ type: z.string() })),
  items: z.array(
    z
      .unknown()
      .transform((item) => packTexts(item, (bytes) => bytes))
      .pipe(z.record(z.string(), z.unknown())),
  ),
});
const readSample = (file: string): string => readFileSync(join(folder, file), "utf8");
const recordedIn = (file: string) => Recorded.parse(JSON.parse(readSample(file)));

const Created = z.looseObject({ id: z.string() });
const Policies = z.looseObject({ jobPolicyConfigs: z.array(Created) });
const Executions = z.object({
  items: z.array(z.looseObject({ id: z.string(), status: z.string(), trigger: z.unknown() })),
});
const Deliveries = z.object({
  items: z.array(
    z.looseObject({ id: z.string(), results: z.array(z.looseObject({ status: z.string() })) }),
  ),
});
const Event = z.looseObject({ type: z.string() });

/** A message over its tenant's limit is delayed by up to half a minute. */
const pollOptions = { timeout: 50_000, interval: 200 };

type World = Awaited<ReturnType<typeof createWorld>>;

/** Creates what the messages refer to, in an organization of its own. */
const createWorld = async (url: string) => {
  const own = await newOrganization();
  const createResource = async (path: string, body: unknown) =>
    Created.parse((await own.send("POST", path, body)).body).id;
  await own.deployAgent("hello", {
    parametersMetadata: [
      { name: "prompt", type: "String" },
      { name: "event", type: "Json" },
    ],
    flow: { steps: [{ id: "out", type: "Output", value: "{% input.prompt %}" }], edges: [] },
    jobPolicyConfigs: [
      {
        scheduleFrequency: "hourly",
        scheduleMinute: "30",
        timezone: "Europe/Berlin",
        prompt: "Go",
      },
    ],
  });
  await own.deployAgent("talker", {
    parametersMetadata: [{ name: "message", type: "String" }],
    flow: { steps: [{ id: "out", type: "Output", value: "{% input.message %}" }], edges: [] },
  });
  const webhook = await createResource("/webhooks", { provider: "generic" });
  const revision = await own.send("GET", "/agents/hello/revisions/1");
  const values: Record<string, string> = {
    tenant: own.tenantId,
    organization: own.org,
    webhook,
    subscription: await createResource(`/webhooks/${webhook}/subscriptions`, {
      subscriberType: "Agent",
      subscriberId: "hello",
    }),
    connector: await createResource("/agents/talker/connectors", {
      provider: "generic",
      parameters: { replyUrl: `${url}/replies` },
    }),
    destination: await createResource("/event-destinations", {
      url: `${url}/events`,
      eventTypes: ["api_key.issued"],
    }),
    policy: Policies.parse(revision.body).jobPolicyConfigs[0]?.id ?? "",
    scheduledTime: new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString(),
  };
  return { own, values };
};

/** Fills in the placeholders of a file. Each {idN} becomes a new ID, and {digestN} the end of it. */
const fill = (file: string, values: Readonly<Record<string, string>>) => {
  const now = Date.now();
  const numbers: Record<string, number> = {
    now,
    soon: now + 60_000,
    ttl: Math.floor(now / 1_000) + 86_400,
  };
  const ids = new Map<string, string>();
  const idFor = (number: string): string => {
    const id = ids.get(number) ?? newUuid(systemRuntime);
    ids.set(number, id);
    return id;
  };
  const text = readSample(file)
    .replaceAll(/"\{(now|soon|ttl)\}"/g, (_, name: string) => String(numbers[name]))
    .replaceAll(/\{id(\d)\}/g, (_, number: string) => idFor(number))
    .replaceAll(/\{digest(\d)\}/g, (_, number: string) => idFor(number).slice(19))
    .replaceAll(/\{([a-zA-Z]+)\}/g, (_, name: string) =>
      z.string().parse(values[name], { error: () => name }),
    );
  // The partition of an open execution is part of its items' keys, so its ID is as recorded.
  const [executionId] = /(?<="executionId": ")[^"]+/.exec(text) ?? [];
  return {
    ...Recorded.parse(JSON.parse(text)),
    id: executionId ?? ids.get("1") ?? "",
  };
};

const sqs = () => {
  const { services, secret } = stack();
  const client = new SQSClient({
    endpoint: services,
    useQueueUrlAsEndpoint: false,
    region: localRegion,
    credentials: credentialsFor(secret, "operator"),
  });
  return { client, urlFor: (name: string) => `${services}/${localAccount}/${name}` };
};

/** The product queues equal messages of its own: a space at the end distinguishes them. */
const textOfBody = (body: unknown): string => `${JSON.stringify(body)} `;

/** Writes the items of a message and queues it. */
const queue = async (file: string, { values }: World) => {
  const message = fill(file, values);
  const { client, table } = tableOfStack();
  for (const Item of message.items) await client.send(new PutCommand({ TableName: table, Item }));
  const { client: sender, urlFor } = sqs();
  const isOrdered = orderedQueues.includes(message.queue);
  await sender.send(
    new SendMessageCommand({
      QueueUrl: urlFor(queueName("Wharf", message.queue)),
      MessageBody: textOfBody(message.body),
      MessageGroupId: `${values.tenant}`,
      ...(isOrdered && { MessageDeduplicationId: newUuid(systemRuntime) }),
    }),
  );
  return message;
};

/** Whether a message is in the queue or in its dead-letter queue. */
const isQueued = async ({ queue, body }: Awaited<ReturnType<typeof fill>>): Promise<boolean> => {
  const names = [queueName("Wharf", queue), deadLetterQueueName("Wharf", queue)];
  const contents = await Promise.all(
    names.map(async (name) =>
      (
        await fetch(`${stack().services}/_fauxqs/queues/${name}`, {
          headers: stack().operatorHeaders,
        })
      ).text(),
    ),
  );
  return contents.join().includes(JSON.stringify(textOfBody(body)).slice(1, -1));
};

describe("a queued message", () => {
  const received: { path: string; body: unknown }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = await request.toArray();
    received.push({
      path: request.url ?? "",
      body: JSON.parse(Buffer.concat(chunks).toString("utf8")),
    });
    response.writeHead(204).end();
  });
  let listening: Awaited<ReturnType<typeof listen>>;
  let world: World;
  beforeAll(async () => {
    listening = await listen(server);
    world = await createWorld(listening.url);
  });
  afterAll(() => listening.close());

  const executions = async () =>
    Executions.parse((await world.own.send("GET", "/agents/hello/execution-records")).body).items;
  const delivery = async (id: string) =>
    Deliveries.parse(
      (await world.own.send("GET", `/webhooks/${world.values.webhook}/deliveries`)).body,
    ).items.find((item) => item.id === id);
  const hasStarted = async ({ id }: { id: string }) =>
    expect
      .poll(() => delivery(id))
      .toMatchObject({ results: [expect.objectContaining({ status: "Succeeded" })] });
  const isReceived = (path: string) =>
    expect
      .poll(() => received.filter((request) => request.path === path))
      .toContainEqual(expect.objectContaining({ body: expect.anything() }));

  const hasRun = async ({ id }: { id: string }) =>
    expect
      .poll(async () => (await world.own.send("GET", `/agents/hello/execution-records/${id}`)).body)
      .toMatchObject({ status: "Succeeded", output: "Hi" });

  const stillWaits = async ({ id }: { id: string }) => {
    const record = await world.own.send("GET", `/agents/hello/execution-records/${id}`);
    expect(record.body).toMatchObject({ status: "Waiting" });
  };

  /** Effects by message type; a message without one is only processed. */
  const effects: Record<string, (message: Awaited<ReturnType<typeof queue>>) => Promise<unknown>> =
    {
      "run-execution": hasRun,
      "wake-execution": (message) =>
        message.body.isOver === true ? stillWaits(message) : hasRun(message),
      "dispatch-delivery": hasStarted,
      "notify-subscriber": hasStarted,
      "run-schedule": async () =>
        expect.poll(executions).toContainEqual(
          expect.objectContaining({
            status: "Succeeded",
            trigger: expect.objectContaining({ type: 1 }),
          }),
        ),
      "reply-to-chat": () => isReceived("/replies"),
      "send-chat-reply": () => isReceived("/replies"),
      "publish-event": () => isReceived("/events"),
      "notify-destination": () => isReceived("/events"),
    };

  test.each(files)("is processed: %s", { tags: "nightly" }, async (file) => {
    received.length = 0;
    const message = await queue(file, world);
    await expect.poll(() => isQueued(message), pollOptions).toBe(false);
    await effects[message.body.type]?.(message);
  });
});

/** Names of the members of a value, with their paths. */
const listMembers = (value: unknown, path = ""): string[] => {
  if (Array.isArray(value))
    return value.slice(0, 1).flatMap((item) => listMembers(item, `${path}/0`));
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([name, member]) => listMembers(member, `${path}/${name}`));
};

test.each(consumers)(
  "test/fixtures/messages has the messages of $operation as they are now",
  (row) => {
    const example = Event.parse(readExample(row.message, row.queue));
    const ofType = files.map(recordedIn).filter(({ body }) => body.type === example.type);
    const recorded = ofType.map(({ body }) => listMembers(body));
    const now = listMembers(example).filter((path) => !path.startsWith("/event/data"));
    expect(recorded).toContainEqual(expect.arrayContaining(now));
  },
);

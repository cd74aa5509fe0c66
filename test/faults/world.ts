import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  GetObjectCommand,
  ListBucketsCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from "@aws-sdk/client-s3";
import { ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient, paginateScan } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import { credentialsFor } from "../../infra/local/access/credentials.ts";
import { operator } from "../../infra/local/operator.ts";
import { deadLetterQueueName } from "../../infra/settings/names.ts";
import { queueNames } from "../../lib/platform/queue/queues.ts";
import { type ModelServer, startModelServer } from "../harness/model-server.ts";
import { type Effects, eventsPath, startEffects } from "./effects.ts";
import type { Product } from "./product.ts";
import { scaleWait } from "./scale-wait.ts";

/** A response, read. */
export type ProductResponse = {
  status: number;
  headers: Headers;
  text: string;
  body: unknown;
  /** Whether the request was sent again after a refusal or a lost response: the first one may have taken effect. */
  isRepeated: boolean;
};

type Received = Omit<ProductResponse, "isRepeated">;

/** Parts of a request. */
export type Sent = {
  body?: unknown;
  raw?: string;
  headers?: Record<string, string>;
  /** An API key in place of the admin's token. */
  key?: string;
};

/** Context shared by all scenarios. */
export type World = {
  product: Product;
  effects: Effects;
  model: ModelServer;
  /** Responses that violate a guarantee. */
  wrongResponses: string[];
  newTenant: () => Promise<TestTenant>;
  /** Lets the effects count the events of approvals, of all tenants; a tenant creates the destination. */
  receiveApprovalEvents: (tenant: TestTenant) => Promise<void>;
  /** The items of the table that contain a text in their partition key or content. */
  findItems: (text: string) => Promise<Record<string, unknown>[]>;
  bucket: TestBucket;
  /** Messages in the dead-letter queues. */
  deadLetters: () => Promise<string[]>;
  /** Closes what a scenario started together with the world. */
  onClose: (close: () => Promise<void>) => void;
  close: () => Promise<void>;
};

/** The bucket, without faults: presigned URLs name the proxy, which the bucket does not accept as a host. */
export type TestBucket = {
  /** Lists the names of the objects that contain a text. */
  list: (text: string) => Promise<string[]>;
  /** Stores an object at a presigned URL. */
  put: (url: string, content: string) => Promise<void>;
  /** Reads the object at a presigned URL. */
  get: (url: string) => Promise<string>;
};

/** A tenant of a scenario. */
export type TestTenant = {
  id: string;
  base: string;
  /** Sends a request until it gets a response other than a retryable refusal, as a careful client does. */
  send: (method: string, path: string, sent?: Sent) => Promise<ProductResponse>;
  /** The same; throws unless the response is a success. */
  mustSend: (method: string, path: string, sent?: Sent) => Promise<ProductResponse>;
  deployAgent: (id: string, revision: unknown) => Promise<void>;
};

/** Scans that are asked for within this time are one, in milliseconds. */
const scanMs = 3_000;
const pauseMs = 100;
/** A burst of kills takes minutes on a busy machine. */
const requestTimeoutMs = scaleWait(300_000);

const Tenant = z.looseObject({ id: z.string() });

/** Connects to a product that is running. */
export const createWorld = async (product: Product): Promise<World> => {
  const effects = await startEffects();
  const model = await startModelServer();
  const wrongResponses: string[] = [];
  const closers = [effects.close, model.close];
  let scannedAt = 0;
  let scan: Promise<StoredItem[]> = Promise.resolve([]);
  const once = async (method: string, path: string, sent: Sent): Promise<Received> => {
    const { baseUrl, userToken } = product.address();
    const content = sent.raw ?? (sent.body === undefined ? undefined : JSON.stringify(sent.body));
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(sent.key === undefined
          ? { authorization: `Bearer ${userToken}` }
          : { "x-api-key": sent.key }),
        ...(content !== undefined && { "content-type": "application/json" }),
        ...sent.headers,
      },
      ...(content !== undefined && { body: content }),
    });
    const read = await response.text();
    return { status: response.status, headers: response.headers, text: read, body: parse(read) };
  };
  const send = async (method: string, path: string, sent: Sent = {}): Promise<ProductResponse> => {
    const end = Date.now() + requestTimeoutMs;
    for (let isRepeated = false; Date.now() < end; isRepeated = true) {
      const received = await once(method, path, sent).catch(() => undefined);
      if (received && received.status >= 500 && !isRetryable(received)) {
        const printed = product.printed().join("\n");
        wrongResponses.push(`${method} ${path}: ${received.status} ${received.text}\n${printed}`);
      }
      if (received && received.status < 500 && !isRetryable(received)) {
        return { ...received, isRepeated };
      }
      await sleep(pauseMs);
    }
    throw new Error(`${method} ${path} got no response but refusals`);
  };
  const subscribe = async (tenant: TestTenant): Promise<void> => {
    const eventTypes = ["approval.requested", "approval.decided", "approval.timed_out"];
    const body = { url: effects.url + eventsPath, eventTypes };
    await tenant.mustSend("POST", "/event-destinations", { body });
  };
  let subscribed: Promise<void> | undefined;
  return {
    product,
    effects,
    model,
    wrongResponses,
    receiveApprovalEvents: (tenant) => {
      subscribed ??= subscribe(tenant);
      return subscribed;
    },
    newTenant: async () => {
      const sent = { slug: `t-${randomUUID().slice(0, 18)}`, displayName: "Faults" };
      const headers = { "idempotency-key": randomUUID() };
      const created = await send("POST", "/v1/tenants", { body: sent, headers });
      const found =
        created.status === 409 ? await send("GET", `/v1/tenants/${sent.slug}`) : created;
      return createTestTenant(product, send, Tenant.parse(found.body).id);
    },
    findItems: async (text) => {
      if (Date.now() - scannedAt > scanMs) {
        scannedAt = Date.now();
        scan = scanTable(product);
      }
      return (await scan).filter(({ json }) => json.includes(text)).map(({ item }) => item);
    },
    bucket: openBucket(product),
    deadLetters: () => receiveDeadLetters(product),
    onClose: (close) => closers.push(close),
    close: async () => {
      await Promise.all(closers.map((close) => close()));
    },
  };
};

const isRetryable = ({ status, headers }: Received): boolean =>
  (status === 503 || status === 409) && headers.has("retry-after");

const createTestTenant = (
  product: Pick<Product, "kills" | "address">,
  send: (method: string, path: string, sent?: Sent) => Promise<ProductResponse>,
  id: string,
): TestTenant => {
  const base = `/v1/tenants/${id}`;
  const own: TestTenant["send"] = (method, path, sent) => send(method, base + path, sent);
  const mustSend: TestTenant["mustSend"] = async (method, path, sent = {}) => {
    const headers = { "idempotency-key": randomUUID(), ...sent.headers };
    const received = await own(method, path, method === "POST" ? { ...sent, headers } : sent);
    if (received.status < 300) return received;
    throw new Error(`${method} ${path}: ${received.status} ${received.text}`);
  };
  return {
    id,
    base,
    send: own,
    mustSend,
    deployAgent: async (agentId, revision) => {
      const before = product.kills();
      const body = { id: agentId, displayName: agentId };
      const headers = { "idempotency-key": randomUUID() };
      const created = await own("POST", "/agents", { body, headers });
      // A function that is terminated before it has saved its response is run again, and finds the agent.
      const isRepeated = created.status === 409 && product.kills() > before;
      if (created.status >= 300 && !isRepeated) {
        throw new Error(`POST /agents: ${created.status} ${created.text}`);
      }
      await mustSend("POST", `/agents/${agentId}/revisions`, { body: revision });
      await mustSend("POST", `/agents/${agentId}/revisions/1:deploy`);
    },
  };
};

/** An item of the table, and its JSON to search in. */
type StoredItem = { item: Record<string, unknown>; json: string };

const scanTable = async (product: Product): Promise<StoredItem[]> => {
  const { dynamodbEndpoint, table } = product.address();
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const base = new DynamoDBClient({ endpoint: dynamodbEndpoint, region: "us-east-1", credentials });
  const client = DynamoDBDocumentClient.from(base);
  const found: StoredItem[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName: table })) {
    found.push(...Items.map((item) => ({ item, json: JSON.stringify(item) })));
  }
  base.destroy();
  return found;
};

const openBucket = (product: Product): TestBucket => {
  const call = async <Result>(work: (client: S3Client) => Promise<Result>): Promise<Result> => {
    const { services, secret } = product.address();
    const credentials = credentialsFor(secret, operator);
    const options = { region: "us-east-1", credentials, forcePathStyle: true };
    const client = new S3Client({ endpoint: services, ...options });
    try {
      return await work(client);
    } finally {
      client.destroy();
    }
  };
  /** Repeats a call that a restart interrupts. */
  const callUntilDone = async <Result>(
    work: (client: S3Client) => Promise<Result>,
  ): Promise<Result> => {
    for (const end = Date.now() + requestTimeoutMs; ; await sleep(pauseMs)) {
      try {
        return await call(work);
      } catch (error) {
        if (Date.now() > end) throw error;
      }
    }
  };
  const readPlace = (url: string) => {
    const [, Bucket = "", ...key] = decodeURIComponent(new URL(url).pathname).split("/");
    return { Bucket, Key: key.join("/") };
  };
  const listAll = async (client: S3Client): Promise<string[]> => {
    const { Buckets = [] } = await client.send(new ListBucketsCommand());
    const found: string[] = [];
    for (const { Name } of Buckets) {
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: Name })) {
        found.push(...Contents.flatMap(({ Key }) => Key ?? []));
      }
    }
    return found;
  };
  return {
    list: async (text) => (await callUntilDone(listAll)).filter((name) => name.includes(text)),
    put: async (url, Body) => {
      const command = new PutObjectCommand({ ...readPlace(url), Body });
      await callUntilDone((client) => client.send(command));
    },
    get: (url) =>
      callUntilDone(async (client) => {
        const { Body } = await client.send(new GetObjectCommand(readPlace(url)));
        return (await Body?.transformToString()) ?? "";
      }),
  };
};

const receiveDeadLetters = async (product: Product): Promise<string[]> => {
  const { services, secret } = product.address();
  const client = new SQSClient({
    endpoint: services,
    region: "us-east-1",
    credentials: credentialsFor(secret, operator),
  });
  const found = await Promise.all(
    queueNames.map(async (queue) => {
      const name = deadLetterQueueName("Wharf", queue);
      const QueueUrl = `${services}/000000000000/${name}`;
      const all: string[] = [];
      for (;;) {
        const command = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 });
        const { Messages = [] } = await client.send(command);
        if (Messages.length === 0) return all;
        all.push(...Messages.map(({ Body }) => `${name}: ${Body}`));
      }
    }),
  );
  client.destroy();
  return found.flat();
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

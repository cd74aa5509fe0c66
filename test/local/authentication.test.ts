import { request } from "node:http";
import { text } from "node:stream/consumers";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { credentialsFor, tokenHeader } from "../../infra/local/access/credentials.ts";
import { schedulesPath, storageCallsPath } from "../../infra/local/storage/endpoint.ts";
import { type FixtureStack, removeFolders, startFixture } from "./fixture-stack.ts";

let fixture: FixtureStack;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(removeFolders);
afterAll(() => fixture.stack.close());

type Sent = { path?: string; method?: string; headers?: Record<string, string>; body?: string };

/** Sends a request with any headers, `Host` included, as a browser does after DNS rebinding. */
const send = async ({ path = "/", method = "POST", headers = {}, body = "{}" }: Sent) => {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const sent = request(fixture.stack.services + path, { method, headers }, async (response) => {
    resolve({ status: response.statusCode ?? 0, body: await text(response) });
  });
  sent.on("error", reject).end(method === "POST" || method === "PUT" ? body : undefined);
  return promise;
};

const port = () => new URL(fixture.stack.services).port;
const tokenFor = (caller: string) => credentialsFor(fixture.stack.secret, caller).sessionToken;
const signed = (caller: string, service: string, token: string) => ({
  "x-amz-date": "20260101T000000Z",
  authorization: `AWS4-HMAC-SHA256 Credential=${caller}/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=x`,
  [tokenHeader]: token,
});
const calls = (caller: string, token: string): Record<string, Sent> => ({
  DynamoDB: {
    headers: {
      ...signed(caller, "dynamodb", token),
      "x-amz-target": "DynamoDB_20120810.ListTables",
    },
  },
  SQS: { headers: { ...signed(caller, "sqs", token), "x-amz-target": "AmazonSQS.ListQueues" } },
  KMS: { headers: { ...signed(caller, "kms", token), "x-amz-target": "TrentService.Decrypt" } },
  S3: { path: "/bucket/key", method: "PUT", headers: signed(caller, "s3", token) },
  SES: { path: "/v2/email/outbound-emails", headers: signed(caller, "ses", token) },
  Scheduler: { path: "/schedules/x", headers: signed(caller, "scheduler", token) },
});
const control: Record<string, Sent> = {
  "the list of schedules": { path: schedulesPath, method: "GET" },
  "the firing of schedules": { path: schedulesPath, body: '{"until":1}' },
  "the counts of calls": { path: storageCallsPath, method: "GET" },
  "the reset of the counts": { path: storageCallsPath, method: "DELETE" },
  "the queues with their messages": { path: "/_fauxqs/queues/parked", method: "GET" },
};

describe("the local AWS services", () => {
  test.each(Object.keys(calls("", "")))(
    "reject %s without the session token of this start",
    async (name) => {
      for (const token of ["", "local", tokenFor("other"), tokenFor("operator")]) {
        const { status, body } = await send(calls("able", token)[name] ?? {});
        expect([status, body]).toEqual([403, expect.stringContaining("security token")]);
      }
      const { body } = await send(calls("able", tokenFor("able"))[name] ?? {});
      expect(body).not.toContain("security token");
    },
  );

  test.each(Object.keys(control))("allow only the operator to read %s", async (name) => {
    for (const token of ["", "x", tokenFor("able")]) {
      const headers = { [tokenHeader]: token };
      expect(await send({ ...control[name], headers })).toMatchObject({ status: 403 });
    }
    const headers = { [tokenHeader]: tokenFor("operator") };
    expect(await send({ ...control[name], headers })).toMatchObject({ status: 200 });
  });

  test.each(["attacker.example", "127.0.0.1.attacker.example", "localhost:1", "127.0.0.1"])(
    "reject the Host %s even with the operator's credentials (DNS rebinding)",
    async (host) => {
      const headers = { host, [tokenHeader]: tokenFor("operator") };
      for (const path of [schedulesPath, "/.well-known/jwks.json"]) {
        expect(await send({ path, method: "GET", headers })).toMatchObject({ status: 403 });
      }
    },
  );

  test("accept all loopback names with their own port", async () => {
    for (const name of ["127.0.0.1", "localhost", "[::1]"]) {
      const headers = { host: `${name}:${port()}`, [tokenHeader]: tokenFor("operator") };
      expect(await send({ path: schedulesPath, method: "GET", headers })).toMatchObject({
        status: 200,
      });
    }
  });

  test("reject a request with an Origin", async () => {
    const headers = { origin: `http://localhost:${port()}`, [tokenHeader]: tokenFor("operator") };
    expect(await send({ path: schedulesPath, headers })).toMatchObject({ status: 403 });
  });

  test("let pages ask for an upload to a presigned URL, and reject one with a wrong signature", async () => {
    const path = "/files/a?X-Amz-Signature=00";
    const headers = { origin: "http://localhost:1", "access-control-request-method": "PUT" };
    expect(await send({ path, method: "OPTIONS", headers })).toMatchObject({ status: 200 });
    expect(await send({ path: "/files/a", method: "OPTIONS", headers })).toMatchObject({
      status: 403,
    });
    expect(await send({ path, method: "PUT", headers })).toMatchObject({ status: 403 });
  });

  test("reject an SDK client with credentials of another start", async () => {
    const client = new SQSClient({
      endpoint: fixture.stack.services,
      region: "us-east-1",
      credentials: credentialsFor("another secret", "able"),
      maxAttempts: 1,
    });
    const QueueUrl = `${fixture.stack.services}/000000000000/parked`;
    await expect(
      client.send(new SendMessageCommand({ QueueUrl, MessageBody: "m" })),
    ).rejects.toMatchObject({ name: "UnrecognizedClientException" });
  });
});

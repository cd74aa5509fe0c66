import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  DecryptCommand,
  EncryptCommand,
  GenerateDataKeyCommand,
  KMSClient,
} from "@aws-sdk/client-kms";
import {
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { credentialsFor } from "../../infra/local/access/credentials.ts";
import { readAssembly } from "../../infra/local/template/assembly.ts";
import { readModel } from "../../infra/local/template/model.ts";
import { type FixtureStack, removeFolders, startFixture } from "./fixture-stack.ts";

let fixture: FixtureStack;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(removeFolders);
afterAll(() => fixture.stack.close());

const Called = z.object({ status: z.number(), body: z.unknown() });
const callAs = async (name: string, call: object) =>
  Called.parse(await (await fixture.post(`/${name}`, call)).json());

const item = (pk: string) => ({ pk: { S: pk }, sk: { S: "s" } });
const put = (pk: string) => ({
  service: "dynamodb",
  operation: "PutItem",
  request: { TableName: "$TABLE_NAME", Item: item(pk) },
});

describe("permissions", () => {
  test("a function has the permissions of its role", { tags: "nightly" }, async () => {
    expect(await callAs("able", put("A"))).toMatchObject({ status: 200 });
  });

  test("a denied access returns AccessDeniedException and is printed", {
    tags: "nightly",
  }, async () => {
    const { status, body } = await callAs("nobody", put("A"));
    expect(status).toBe(400);
    expect(body).toMatchObject({ __type: expect.stringContaining("#AccessDeniedException") });
    expect(fixture.printed.join("\n")).toMatch(/ACCESS DENIED User: nobody .*dynamodb:PutItem/);
  });

  test("a condition on leading keys restricts access to items", { tags: "nightly" }, async () => {
    expect(await callAs("keyed", put("RATE#1"))).toMatchObject({ status: 200 });
    expect(await callAs("keyed", put("ORG#1"))).toMatchObject({ status: 400 });
  });

  test("SQS, S3 and KMS report a denied access in their protocols", async () => {
    const send = {
      service: "sqs",
      operation: "SendMessage",
      request: { QueueUrl: "$PARKED_URL", MessageBody: "m" },
    };
    expect(await callAs("able", send)).toMatchObject({ status: 200 });
    expect(await callAs("nobody", send)).toMatchObject({
      status: 400,
      body: { __type: expect.stringContaining("AccessDenied") },
    });
    expect(
      await callAs("able", { service: "s3", operation: "PUT", key: "k", body: "v" }),
    ).toMatchObject({ status: 200 });
    expect(await callAs("nobody", { service: "s3", operation: "GET", key: "k" })).toMatchObject({
      status: 403,
      body: expect.stringContaining("<Code>AccessDenied</Code>"),
    });
    const seal = {
      service: "kms",
      operation: "GenerateDataKey",
      request: { KeyId: "$KEY_ID", KeySpec: "AES_256" },
    };
    expect(await callAs("able", seal)).toMatchObject({ status: 200 });
    expect(await callAs("nobody", seal)).toMatchObject({
      status: 400,
      body: { __type: "AccessDeniedException" },
    });
  });
});

describe("the SDK's clients", () => {
  const client = () => ({
    endpoint: fixture.stack.services,
    region: "us-east-1",
    credentials: credentialsFor(fixture.stack.secret, "able"),
  });
  const model = () =>
    readModel(readAssembly(join(fixture.directory, "assembly")), fixture.stack.services);

  test("KMS decrypts a data key only with the same encryption context", async () => {
    const kms = new KMSClient(client());
    const KeyId = model().keys[0]?.id ?? "";
    const EncryptionContext = { tenant: "t" };
    const created = await kms.send(
      new GenerateDataKeyCommand({ KeyId, KeySpec: "AES_256", EncryptionContext }),
    );
    expect(created.Plaintext).toHaveLength(32);
    const CiphertextBlob = created.CiphertextBlob ?? new Uint8Array();
    const opened = await kms.send(new DecryptCommand({ CiphertextBlob, EncryptionContext }));
    expect(opened.Plaintext).toEqual(created.Plaintext);
    await expect(kms.send(new DecryptCommand({ CiphertextBlob }))).rejects.toThrow(
      expect.objectContaining({ name: "InvalidCiphertextException" }),
    );
    await expect(
      kms.send(new EncryptCommand({ KeyId, Plaintext: new Uint8Array(1) })),
    ).rejects.toThrow(expect.objectContaining({ name: "AccessDeniedException" }));
    expect(statSync(join(fixture.directory, "data/kms-keys.json")).mode & 0o777).toBe(0o600);
  });

  test("S3 stores objects and returns an error for a missing one", async () => {
    const s3 = new S3Client(client());
    const Bucket = model().buckets[0] ?? "";
    const Key = "a b/ü+1";
    await s3.send(new PutObjectCommand({ Bucket, Key, Body: new Uint8Array([0, 255]) }));
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    expect(await Body?.transformToByteArray()).toEqual(new Uint8Array([0, 255]));
    await expect(s3.send(new HeadObjectCommand({ Bucket, Key: "none" }))).rejects.toThrow();
  });

  test("SQS accepts messages at the queue's URL", async () => {
    const sqs = new SQSClient(client());
    const QueueUrl = `${fixture.stack.services}/000000000000/parked`;
    const { MessageId } = await sqs.send(
      new SendMessageCommand({ QueueUrl, MessageBody: "m", MessageGroupId: "t" }),
    );
    expect(MessageId).toBeDefined();
  });
});

test("the JWKS of the local issuer contains public keys only", async () => {
  const keys = await (await fetch(`${fixture.stack.services}/.well-known/jwks.json`)).json();
  expect(keys).toEqual({
    keys: [expect.objectContaining({ kty: "EC", kid: "local", alg: "ES256" })],
  });
  expect(JSON.stringify(keys)).not.toContain('"d"');
  expect(statSync(join(fixture.directory, "data/issuer-key.json")).mode & 0o777).toBe(0o600);
  expect(existsSync(join(fixture.directory, "data/table.db"))).toBe(true);
});

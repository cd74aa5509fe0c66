import { createServer } from "node:http";
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { propertyRuns } from "../../../test/harness/runs.ts";
import { trimClient } from "./aws-client.ts";
import { awsRetries } from "./aws-retry.ts";
import { requestSigner } from "./aws-signer.ts";

const identity = fc.record({
  accessKeyId: fc.string({ minLength: 1 }),
  secretAccessKey: fc.string({ minLength: 1, unit: "binary" }),
  sessionToken: fc.option(fc.base64String(), { nil: undefined }),
});
const headerName = fc.oneof(
  fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,12}$/),
  fc.constantFrom("host", "X-Amz-Target", "User-Agent", "x-amzn-trace-id", "Proxy-X", "sec-x"),
  fc.constantFrom("date", "Authorization", "x-amz-content-sha256", "__proto__", "constructor"),
);
const headerValue = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom(" ", "\t", "\r", "\n", "a", ";", "é") }),
);
const request = fc.record({
  protocol: fc.constant("https:"),
  hostname: fc.constant("dynamodb.eu-west-1.amazonaws.com"),
  method: fc.constantFrom("POST", "PUT"),
  path: fc.oneof({ weight: 9, arbitrary: fc.constant("/") }, fc.constant("/a b/../c")),
  query: fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, fc.constant({ b: "1", a: "é" })),
  headers: fc.dictionary(headerName, headerValue, { noNullPrototype: true }),
  body: fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.json({ stringUnit: "binary" }),
    fc.uint8Array(),
    fc.constant(undefined),
  ),
});
const options = fc.record(
  {
    signingDate: fc.date({
      min: new Date("1970-01-02"),
      max: new Date("2200-01-01"),
      noInvalidDate: true,
    }),
    signingRegion: fc.constantFrom("eu-west-1", "us-east-1"),
    signingService: fc.constantFrom("dynamodb", "sqs"),
  },
  { requiredKeys: ["signingDate"] },
);

const clientFor = (of: () => Promise<{ accessKeyId: string; secretAccessKey: string }>) =>
  new DynamoDBClient({ credentials: of, region: "eu-south-2" });

const signerFor = (client: DynamoDBClient) =>
  requestSigner({
    credentials: () => client.config.credentials(),
    region: () => client.config.region(),
    service: client.config.defaultSigningName,
    sdkSigner: () => client.config.signer(),
  });

describe("the signer", () => {
  test("sets the headers that the SDK's own signer sets, whatever the request", {
    tags: "nightly",
  }, async () => {
    let current = { accessKeyId: "a", secretAccessKey: "b" };
    const client = clientFor(async () => ({ ...current, expiration: new Date(0) }));
    const own = signerFor(client);
    const sdk = await client.config.signer();
    await fc.assert(
      fc.asyncProperty(identity, request, options, async (credentials, sent, when) => {
        current = credentials;
        const before = structuredClone(sent);
        const { headers, ...rest } = await own.sign(sent, when);
        const expected = await sdk.sign(sent, when);
        expect(headers).toEqual(expected.headers);
        expect(rest.body).toBe(expected.body);
        expect(sent).toEqual(before);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  test("signs with new credentials and on a new day with a new key", async () => {
    let secretAccessKey = "first";
    const client = clientFor(async () => ({
      accessKeyId: "a",
      secretAccessKey,
      expiration: new Date(0),
    }));
    const own = signerFor(client);
    const sdk = await client.config.signer();
    const sent = { protocol: "https:", hostname: "h", method: "POST", path: "/", headers: {} };
    for (const [secret, day] of [
      ["first", "2026-11-22T23:59:59.999Z"],
      ["first", "2026-11-23T00:00:00.000Z"],
      ["second", "2026-11-23T00:00:00.000Z"],
      ["first", "2026-11-22T23:59:59.999Z"],
    ] as const) {
      secretAccessKey = secret;
      const when = { signingDate: new Date(day) };
      const signed = await own.sign({ ...sent, body: "{}" }, when);
      expect(signed.headers).toEqual((await sdk.sign({ ...sent, body: "{}" }, when)).headers);
    }
  });
});

/** Reads the form 20261122T235959Z. */
const parseSigningDate = (date: string): number => {
  const part = (start: number, length = 2) => Number(date.slice(start, start + length));
  return Date.UTC(part(0, 4), part(4) - 1, part(6), part(9), part(11), part(13));
};

describe("a client with the signer", () => {
  test("signs the retry of RequestTimeTooSkewed with the service's time", async () => {
    const ahead = 3_600_000;
    const dates: string[] = [];
    const server = createServer((incoming, response) => {
      dates.push(String(incoming.headers["x-amz-date"]));
      response.setHeader("date", new Date(Date.now() + ahead).toUTCString());
      response.statusCode = dates.length === 1 ? 400 : 200;
      response.end(dates.length === 1 ? '{"__type":"x#RequestTimeTooSkewed"}' : "{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const config = {
      endpoint: `http://127.0.0.1:${port}`,
      region: "eu-west-1",
      credentials: { accessKeyId: "a", secretAccessKey: "b" },
      retryStrategy: awsRetries(),
    };
    const client = trimClient(new DynamoDBClient(config));
    try {
      const Key = { pk: { S: "a" } };
      const call = () => client.send(new GetItemCommand({ TableName: "table", Key }));
      await call().catch(call);
      expect(dates.length).toBe(2);
      const [first, second] = dates.map(parseSigningDate);
      expect(Math.round((Number(second) - Number(first)) / ahead)).toBe(1);
    } finally {
      client.destroy();
      server.close();
    }
  });
});

/** Source of the functions that call local AWS services with the credentials in the environment. */
const callText = `
import { once } from "node:events";
import http from "node:http";
import { json as parse } from "node:stream/consumers";
const targets = { dynamodb: "DynamoDB_20120810", sqs: "AmazonSQS", kms: "TrentService" };
export const aws = async (service, operation, body) => {
  const credential = process.env.AWS_ACCESS_KEY_ID + "/20260101/us-east-1/" + service + "/aws4_request";
  const { hostname: host, port } = new URL(process.env["AWS_ENDPOINT_URL_" + service.toUpperCase()]);
  const request = http.request({
    host,
    port,
    method: "POST",
    path: "/",
    headers: {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": targets[service] + "." + operation,
      "x-amz-date": "20260101T000000Z",
      "x-amz-security-token": process.env.AWS_SESSION_TOKEN,
      authorization: "AWS4-HMAC-SHA256 Credential=" + credential + ", SignedHeaders=host, Signature=x",
    },
  });
  const responded = once(request, "response");
  request.end(JSON.stringify(body));
  const [response] = await responded;
  return { status: response.statusCode, body: await parse(response) };
};
export const object = async (method, key, body) => {
  const credential = process.env.AWS_ACCESS_KEY_ID + "/20260101/us-east-1/s3/aws4_request";
  const url = process.env.AWS_ENDPOINT_URL_S3 + "/" + process.env.BUCKET_NAME + "/" + key;
  const response = await fetch(url, { method, body, headers: { "x-amz-security-token": process.env.AWS_SESSION_TOKEN, authorization: "AWS4-HMAC-SHA256 Credential=" + credential + ", x" } });
  return { status: response.status, body: await response.text() };
};
export const json = (statusCode, value) => ({ statusCode, headers: { "Content-Type": "application/json" }, body: JSON.stringify(value) });
export const parseBody = (event) => JSON.parse(Buffer.from(event.body ?? "bnVsbA==", "base64").toString("utf8"));
`;

/** Source of the fixture's functions, by folder. */
export const fixtureCode: Readonly<Record<string, string>> = {
  echo: `
    import { json } from "./call.mjs";
    export const handler = async (event, context) =>
      json(200, { event, environment: process.env, requestId: context.awsRequestId, left: context.getRemainingTimeInMillis() });
  `,
  call: `
    import { aws, parseBody, json, object } from "./call.mjs";
    const fill = (value) => JSON.parse(JSON.stringify(value).replaceAll(/\\$([A-Z_]+)/g, (_, name) => process.env[name]));
    export const handler = async (event) => {
      const { service, operation, request, key, body } = fill(parseBody(event));
      const result = service === "s3" ? await object(operation, key, body) : await aws(service, operation, request);
      return json(200, result);
    };
  `,
  shape: `
    import { parseBody } from "./call.mjs";
    export const handler = async (event) => parseBody(event);
  `,
  slow: `
    import { parseBody } from "./call.mjs";
    let count = 0;
    const everybody = Promise.withResolvers();
    export const handler = async (event) => {
      const { wait, loop, exit, fault, log, untilCount } = parseBody(event);
      if (log) console.log(log);
      if (fault) throw new Error(fault);
      if (exit) process.exit(3);
      while (loop) {}
      if (untilCount) {
        count += 1;
        if (count === untilCount) everybody.resolve();
        await everybody.promise;
      }
      await new Promise((resolve) => setTimeout(resolve, wait ?? 0));
      return { statusCode: 200, body: "done" };
    };
  `,
  streams: `
    import { once } from "node:events";
    import { parseBody } from "./call.mjs";
    const gates = new Map();
    const gate = (name) => {
      if (!gates.has(name)) gates.set(name, Promise.withResolvers());
      return gates.get(name);
    };
    const finished = [];
    const start = (stream, head) => {
      const started = awslambda.HttpResponseStream.from(stream, head);
      started.write("");
      return started;
    };
    const steps = {
      head: (stream, head) => start(stream, head),
      write: (stream, text) => stream.write(text),
      bytes: (stream, list) => stream.write(Buffer.from(list)),
      end: (stream, text) => stream.end(text),
      wait: (stream, name) => gate(name).promise,
      open: (stream, name) => gate(name).resolve(),
      unpaced: (stream, count) => {
        const chunk = Buffer.alloc(262144, "x");
        for (let at = 0; at < count * 4; at += 1) stream.write(chunk);
      },
      paced: async (stream, count) => {
        const chunk = Buffer.alloc(262144, "x");
        for (let at = 0; at < count * 4; at += 1) {
          if (stream.write(chunk)) continue;
          gate("drain").resolve();
          await once(stream, "drain");
        }
      },
      finish: (stream, name) => finished.push(name),
      finished: (stream) => stream.end(JSON.stringify(finished)),
      throw: (stream, text) => { throw new Error(text); },
      exit: () => process.exit(3),
      pause: (stream, milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
      log: (stream, line) => console.error(line),
    };
    export const handler = awslambda.streamifyResponse(async (event, stream) => {
      for (const [name, value] of parseBody(event)) await steps[name](stream, value);
    });
  `,
  together: `
    const all = 100;
    let arrived = 0;
    const everybody = Promise.withResolvers();
    export const handler = async (event) => {
      if (!event.Records) return { statusCode: 200, body: String(arrived) };
      if (event.Records.length !== 1) throw new Error("a batch of " + event.Records.length);
      arrived += 1;
      if (arrived === all) everybody.resolve();
      await everybody.promise;
      return { batchItemFailures: [] };
    };
  `,
  job: `
    import { json } from "./call.mjs";
    const state = { runs: 0, running: 0, most: 0, event: undefined };
    export const handler = async (event) => {
      if (event.httpMethod) return json(200, state);
      state.runs += 1;
      state.running += 1;
      state.most = Math.max(state.most, state.running);
      state.event = event;
      await new Promise((resolve) => setTimeout(resolve, 50));
      state.running -= 1;
      if (state.runs === 2) throw new Error("the second run fails");
    };
  `,
  broken: "throw new Error('cannot be loaded'); export const handler = 1;",
  worker: `
    import { aws } from "./call.mjs";
    export const handler = async (event) => {
      const failures = [];
      for (const record of event.Records) {
        const { id, fail } = JSON.parse(record.body);
        await aws("dynamodb", "UpdateItem", {
          TableName: process.env.TABLE_NAME,
          Key: { pk: { S: "WORK#" + id }, sk: { S: "WORK" } },
          UpdateExpression: "ADD received :one SET lastCount = :count, arn = :arn",
          ExpressionAttributeValues: {
            ":one": { N: "1" },
            ":count": { S: record.attributes.ApproximateReceiveCount },
            ":arn": { S: record.eventSourceARN },
          },
        });
        if (!fail) continue;
        failures.push({ itemIdentifier: record.messageId });
        await aws("sqs", "ChangeMessageVisibility", {
          QueueUrl: process.env.WORK_URL,
          ReceiptHandle: record.receiptHandle,
          VisibilityTimeout: 1,
        });
      }
      return { batchItemFailures: failures };
    };
  `,
};

/** Source of \`call.mjs\`, a module next to each function. */
export const sharedCode = callText;

/** Calls a local AWS service as a function would, with the identity that its environment gives it. */
const callText = `
const targets = { dynamodb: "DynamoDB_20120810", sqs: "AmazonSQS", kms: "TrentService" };
export const aws = async (service, operation, body) => {
  const credential = process.env.AWS_ACCESS_KEY_ID + "/20260101/us-east-1/" + service + "/aws4_request";
  const response = await fetch(process.env["AWS_ENDPOINT_URL_" + service.toUpperCase()], {
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": targets[service] + "." + operation,
      "x-amz-date": "20260101T000000Z",
      authorization: "AWS4-HMAC-SHA256 Credential=" + credential + ", SignedHeaders=host, Signature=x",
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
};
export const object = async (method, key, body) => {
  const credential = process.env.AWS_ACCESS_KEY_ID + "/20260101/us-east-1/s3/aws4_request";
  const url = process.env.AWS_ENDPOINT_URL_S3 + "/" + process.env.BUCKET_NAME + "/" + key;
  const response = await fetch(url, { method, body, headers: { authorization: "AWS4-HMAC-SHA256 Credential=" + credential + ", x" } });
  return { status: response.status, body: await response.text() };
};
export const json = (statusCode, value) => ({ statusCode, headers: { "Content-Type": "application/json" }, body: JSON.stringify(value) });
export const bodyOf = (event) => JSON.parse(Buffer.from(event.body ?? "bnVsbA==", "base64").toString("utf8"));
`;

/** Source of the fixture's functions, by folder. */
export const fixtureCode: Readonly<Record<string, string>> = {
  echo: `
    import { json } from "./call.mjs";
    export const handler = async (event, context) =>
      json(200, { event, environment: process.env, requestId: context.awsRequestId, left: context.getRemainingTimeInMillis() });
  `,
  call: `
    import { aws, bodyOf, json, object } from "./call.mjs";
    const fill = (value) => JSON.parse(JSON.stringify(value).replaceAll(/\\$([A-Z_]+)/g, (_, name) => process.env[name]));
    export const handler = async (event) => {
      const { service, operation, request, key, body } = fill(bodyOf(event));
      const answer = service === "s3" ? await object(operation, key, body) : await aws(service, operation, request);
      return json(200, answer);
    };
  `,
  shape: `
    import { bodyOf } from "./call.mjs";
    export const handler = async (event) => bodyOf(event);
  `,
  slow: `
    import { bodyOf } from "./call.mjs";
    export const handler = async (event) => {
      const { wait, loop, exit, fault, log } = bodyOf(event);
      if (log) console.log(log);
      if (fault) throw new Error(fault);
      if (exit) process.exit(3);
      while (loop) {}
      await new Promise((resolve) => setTimeout(resolve, wait ?? 0));
      return { statusCode: 200, body: "done" };
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
        if (fail) failures.push({ itemIdentifier: record.messageId });
      }
      return { batchItemFailures: failures };
    };
  `,
};

/** Source of the module that the functions share, beside each of them as \`call.mjs\`. */
export const sharedCode = callText;

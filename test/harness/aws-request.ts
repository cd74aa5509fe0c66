import type { IncomingMessage } from "node:http";
import { readAccessKeyId, signedFor } from "../../infra/local/access/caller.ts";

/** A call of a function, or of a queue's poller, to an AWS service. */
export type AwsRequest = {
  service: "dynamodb" | "sqs" | "s3" | "kms" | "other";
  /** Such as `PutItem`, `SendMessage`; for S3 the method. */
  operation: string;
  /** Name of the function. */
  caller: string;
  url: string;
  body: Buffer;
};

const services = {
  DynamoDB_20120810: "dynamodb",
  AmazonSQS: "sqs",
  TrentService: "kms",
} as const;

const isService = (name: string): name is keyof typeof services => Object.hasOwn(services, name);

/** Reads which call a request is. */
export const toAwsRequest = (request: IncomingMessage, body: Buffer): AwsRequest => {
  const { url = "", method = "", headers } = request;
  const target = headers["x-amz-target"];
  const caller = readAccessKeyId(headers.authorization);
  const [prefix = "", operation = ""] = String(target ?? "").split(".");
  if (isService(prefix)) return { service: services[prefix], operation, caller, url, body };
  const service = signedFor(headers.authorization) === "s3" ? "s3" : "other";
  return { service, operation: method, caller, url, body };
};

/** The place in the code that makes a call, as far as it shows: function, operation, conditions, kinds of keys. */
export const describeCallSite = ({ caller, operation, body }: AwsRequest): string => {
  const text = body.subarray(0, 64_000).toString("utf8");
  const shapes = text.match(/"(?:Condition|Update|KeyCondition)Expression":"[^"]*"/g) ?? [];
  const keys = text.match(/"sk":\{"S":"[A-Z]+/g) ?? [];
  const types = text.match(/\\"type\\":\\"[a-z-]+/g) ?? [];
  return [caller, operation, ...new Set([...shapes, ...keys, ...types])].join(" ");
};

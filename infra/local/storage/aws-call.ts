import * as z from "zod";
import { signedAs } from "../access/caller.ts";
import { type LocalCredentials, tokenHeader } from "../access/credentials.ts";
import type { Upstream } from "./upstream.ts";

/** A service refused a call, or answered with an error. */
export class AwsCallError extends Error {
  override name = "AwsCallError";
  /** The service's name of the error, without its namespace. */
  readonly type: string;
  constructor(type: string, message: string) {
    super(`${type}: ${message}`);
    this.type = type;
  }
}

const Fault = z.object({ __type: z.string().default("Unknown"), message: z.string().default("") });

/** The services that speak JSON with an operation in `X-Amz-Target`. */
const targets = { dynamodb: "DynamoDB_20120810", sqs: "AmazonSQS", kms: "TrentService" } as const;

/** Calls a local AWS service in its JSON protocol without the SDK and its start-up time. */
export type AwsCall = (operation: string, body: unknown) => Promise<unknown>;

/** Makes the calls of one caller to one service. */
export const awsCaller = (
  upstream: Upstream,
  service: keyof typeof targets,
  { accessKeyId, sessionToken }: LocalCredentials,
): AwsCall => {
  const authorization = signedAs(accessKeyId, service);
  return async (operation, body) => {
    const answer = await upstream.post(
      {
        "content-type": "application/x-amz-json-1.0",
        "x-amz-target": `${targets[service]}.${operation}`,
        "x-amz-date": "20260101T000000Z",
        authorization,
        [tokenHeader]: sessionToken,
      },
      Buffer.from(JSON.stringify(body)),
    );
    const parsed: unknown = JSON.parse(answer.body.toString("utf8"));
    if (answer.status < 300) return parsed;
    const fault = Fault.parse(parsed);
    throw new AwsCallError(fault.__type.split("#").at(-1) ?? "", fault.message);
  };
};

import type { Pool } from "undici";
import * as z from "zod";
import { signedAs } from "./caller.ts";
import { type LocalCredentials, tokenHeader } from "./credentials.ts";

/** An error response of a local AWS service. */
export class AwsCallError extends Error {
  override name = "AwsCallError";
  /** Error type without its namespace. */
  readonly type: string;
  constructor(type: string, message: string) {
    super(`${type}: ${message}`);
    this.type = type;
  }
}

const Fault = z.object({ __type: z.string().default("Unknown"), message: z.string().default("") });

/** `X-Amz-Target` prefixes of the services with a JSON protocol. */
const targets = { dynamodb: "DynamoDB_20120810", sqs: "AmazonSQS", kms: "TrentService" } as const;

/** Calls a local AWS service in its JSON protocol, without the load time of the SDK. */
export type AwsCall = (operation: string, body: unknown) => Promise<unknown>;

/** Creates a client of one service with one caller's credentials. */
export const awsCaller = (
  pool: Pool,
  service: keyof typeof targets,
  { accessKeyId, sessionToken }: LocalCredentials,
): AwsCall => {
  const authorization = signedAs(accessKeyId, service);
  return async (operation, body) => {
    const response = await pool.request({
      path: "/",
      method: "POST",
      headers: {
        "content-type": "application/x-amz-json-1.0",
        "x-amz-target": `${targets[service]}.${operation}`,
        "x-amz-date": "20260101T000000Z",
        authorization,
        [tokenHeader]: sessionToken,
      },
      body: JSON.stringify(body),
    });
    const parsed = await response.body.json();
    if (response.statusCode < 300) return parsed;
    const fault = Fault.parse(parsed);
    throw new AwsCallError(fault.__type.split("#").at(-1) ?? "", fault.message);
  };
};

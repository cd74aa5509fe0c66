import * as z from "zod";
import { isJsonObject } from "./json.ts";
import { findResources, type Source } from "./source.ts";

const KeySchema = z.array(
  z.object({ AttributeName: z.string(), KeyType: z.enum(["HASH", "RANGE"]) }),
);

const TableProperties = z.object({
  AttributeDefinitions: z.array(
    z.object({ AttributeName: z.string(), AttributeType: z.enum(["S", "N", "B"]) }),
  ),
  KeySchema,
  GlobalSecondaryIndexes: z
    .array(
      z.object({
        IndexName: z.string(),
        KeySchema,
        Projection: z.object({
          ProjectionType: z.enum(["ALL", "KEYS_ONLY", "INCLUDE"]),
          NonKeyAttributes: z.array(z.string()).optional(),
        }),
      }),
    )
    .default([]),
  TimeToLiveSpecification: z.object({ AttributeName: z.string(), Enabled: z.boolean() }).optional(),
});

/** A table of the template. */
export type LocalTable = { name: string; arn: string } & z.output<typeof TableProperties>;

/** A queue of the template, with its SQS attributes. */
export type LocalQueue = { name: string; arn: string; attributes: Record<string, string> };

/** A KMS key. */
export type LocalKey = { id: string; arn: string };

/** Reads the tables. */
export const readTables = (source: Source): LocalTable[] =>
  findResources(source, "AWS::DynamoDB::Table", "AWS::DynamoDB::GlobalTable").map((resource) => ({
    name: resource.ref,
    arn: resource.arn,
    ...resource.read(TableProperties),
  }));

const queueAttributes = [
  "DelaySeconds",
  "FifoQueue",
  "ContentBasedDeduplication",
  "MaximumMessageSize",
  "MessageRetentionPeriod",
  "ReceiveMessageWaitTimeSeconds",
  "RedrivePolicy",
  "VisibilityTimeout",
] as const;

/** Reads the queues. */
export const readQueues = (source: Source): LocalQueue[] =>
  findResources(source, "AWS::SQS::Queue").map(({ arn, attributes, template, property }) => ({
    name: attributes.QueueName ?? "",
    arn,
    attributes: Object.fromEntries(
      queueAttributes
        .filter((name) => name in template.Properties)
        .map((name) => {
          const value = property(name);
          return [name, isJsonObject(value) ? JSON.stringify(value) : String(value)];
        }),
    ),
  }));

/** Reads the names of the buckets. */
export const readBuckets = (source: Source): string[] =>
  findResources(source, "AWS::S3::Bucket").map(({ ref }) => ref);

/** Reads the names of the vector buckets. */
export const readVectorBuckets = (source: Source): string[] =>
  findResources(source, "AWS::S3Vectors::VectorBucket").map(({ attributes }) =>
    String(attributes.VectorBucketName),
  );

/** Reads the KMS keys. */
export const readKeys = (source: Source): LocalKey[] =>
  findResources(source, "AWS::KMS::Key").map(({ ref, arn }) => ({ id: ref, arn }));

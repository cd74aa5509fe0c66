import * as z from "zod";
import { isJsonObject } from "./json.ts";
import { findResources, type Source } from "./model.ts";
import { TemplateError } from "./template-error.ts";

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

/** A table as the template declares it. */
export type LocalTable = { name: string; arn: string } & z.output<typeof TableProperties>;

/** A queue as the template declares it; attributes as SQS spells them. */
export type LocalQueue = { name: string; arn: string; attributes: Record<string, string> };

/** A KMS key. */
export type LocalKey = { id: string; arn: string };

/** The tables of the template. */
export const readTables = (source: Source): LocalTable[] =>
  findResources(source, "AWS::DynamoDB::Table", "AWS::DynamoDB::GlobalTable").map(
    ({ stack, logicalId, resource, place }) => {
      const { ref, attributes } = source.resolver.identity(stack, logicalId, place);
      const used = Object.fromEntries(
        Object.keys(TableProperties.shape).flatMap((name) => {
          const value = resource.Properties[name];
          return value === undefined
            ? []
            : [[name, source.resolver.resolve(stack, value, `${place}.${name}`)]];
        }),
      );
      return {
        name: ref,
        arn: attributes.Arn ?? "",
        ...parse(TableProperties, used, stack.name, place),
      };
    },
  );

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

/** The queues of the template. */
export const readQueues = (source: Source): LocalQueue[] =>
  findResources(source, "AWS::SQS::Queue").map(({ stack, logicalId, resource, place }) => {
    const { attributes: identity } = source.resolver.identity(stack, logicalId, place);
    const attributes: Record<string, string> = {};
    for (const name of queueAttributes) {
      const given = resource.Properties[name];
      if (given === undefined) continue;
      const value = source.resolver.resolve(stack, given, `${place}.${name}`);
      attributes[name] = isJsonObject(value) ? JSON.stringify(value) : String(value);
    }
    return { name: identity.QueueName ?? "", arn: identity.Arn ?? "", attributes };
  });

/** Names of the buckets of the template. */
export const readBuckets = (source: Source): string[] =>
  findResources(source, "AWS::S3::Bucket").map(
    ({ stack, logicalId, place }) => source.resolver.identity(stack, logicalId, place).ref,
  );

/** The KMS keys of the template. */
export const readKeys = (source: Source): LocalKey[] =>
  findResources(source, "AWS::KMS::Key").map(({ stack, logicalId, place }) => {
    const { ref, attributes } = source.resolver.identity(stack, logicalId, place);
    return { id: ref, arn: attributes.Arn ?? "" };
  });

/** Parses resolved properties; a TemplateError names the place of what does not fit. */
export const parse = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  stackName: string,
  place: string,
): z.output<Schema> => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new TemplateError(
    `template ${stackName}, ${[place, ...(issue?.path ?? [])].join(".")}: ${issue?.message ?? "does not fit"}`,
  );
};

import { join, resolve as resolvePath } from "node:path";
import * as z from "zod";
import { isJsonObject, type Json } from "./json.ts";
import { type Found, findResources, type Source } from "./model.ts";
import { type PolicyStatement, readPolicies } from "./policies.ts";
import { parse } from "./storage.ts";
import { TemplateError } from "./template-error.ts";

const FunctionProperties = z.object({
  Handler: z.string(),
  Timeout: z.coerce.number().default(3),
  MemorySize: z.coerce.number().default(128),
  Environment: z
    .object({ Variables: z.record(z.string(), z.coerce.string()).default({}) })
    .default({ Variables: {} }),
});

const MappingProperties = z.object({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  BatchSize: z.coerce.number().default(10),
  MaximumBatchingWindowInSeconds: z.coerce.number().default(0),
  FunctionResponseTypes: z.array(z.string()).default([]),
  Enabled: z.boolean().default(true),
  ScalingConfig: z.object({ MaximumConcurrency: z.coerce.number() }).optional(),
});

/** A Lambda function as the template declares it. */
export type LocalFunction = {
  /** Physical name; also its local identity when it calls DynamoDB, SQS, S3 and KMS. */
  name: string;
  arn: string;
  /** Absolute directory of its bundle. */
  directory: string;
  /** File and export, such as `index.handler`. */
  handler: string;
  timeoutSeconds: number;
  memoryMegabytes: number;
  environment: Record<string, string>;
  statements: PolicyStatement[];
};

/** An event-source mapping from a queue to a function. */
export type EventSource = {
  functionName: string;
  queueArn: string;
  batchSize: number;
  windowSeconds: number;
  maximumConcurrency: number | undefined;
  reportsItemFailures: boolean;
};

/** The functions of the template, with the policies of their roles. */
export const readFunctions = (source: Source): LocalFunction[] => {
  const policies = readPolicies(source);
  return findResources(source, "AWS::Lambda::Function").map((found) => {
    const { stack, logicalId, resource, place } = found;
    const { ref, attributes } = source.resolver.identity(stack, logicalId, place);
    const read = (name: string): Json =>
      source.resolver.resolve(stack, resource.Properties[name] ?? null, `${place}.${name}`);
    const wanted = Object.keys(FunctionProperties.shape).filter(
      (name) => name in resource.Properties,
    );
    const properties = parse(
      FunctionProperties,
      Object.fromEntries(wanted.map((name) => [name, read(name)])),
      stack.name,
      place,
    );
    return {
      name: ref,
      arn: attributes.Arn ?? "",
      directory: codeDirectory(source, found),
      handler: properties.Handler,
      timeoutSeconds: properties.Timeout,
      memoryMegabytes: properties.MemorySize,
      environment: properties.Environment.Variables,
      statements: policies.get(String(read("Role"))) ?? [],
    };
  });
};

const codeDirectory = ({ assembly }: Source, { stack, resource, place }: Found): string => {
  const path = resource.Metadata["aws:asset:path"];
  if (typeof path === "string") return resolvePath(assembly.directory, path);
  const code = resource.Properties.Code;
  const key = isJsonObject(code) ? code.S3Key : undefined;
  const hash = typeof key === "string" ? key.replace(/\.[a-z]+$/, "") : "";
  const directory = assembly.assets.get(hash) ?? assembly.assets.get(hash.split("/").at(-1) ?? "");
  if (directory !== undefined) return directory;
  throw new TemplateError(`template ${stack.name}, ${place}.Code: no file asset of the assembly`);
};

/** The file that a function's handler setting names, and the export in it. */
export const handlerOf = (fn: LocalFunction): { file: string; name: string } => {
  const dot = fn.handler.lastIndexOf(".");
  return {
    file: join(fn.directory, `${fn.handler.slice(0, dot)}.mjs`),
    name: fn.handler.slice(dot + 1),
  };
};

/** The event-source mappings of the template that are enabled and read a queue. */
export const readEventSources = (source: Source): EventSource[] =>
  findResources(source, "AWS::Lambda::EventSourceMapping").flatMap(({ stack, resource, place }) => {
    const resolved = source.resolver.resolve(stack, resource.Properties, place);
    const mapping = parse(MappingProperties, resolved, stack.name, place);
    if (!mapping.Enabled) return [];
    if (!mapping.EventSourceArn.startsWith("arn:aws:sqs:")) {
      throw new TemplateError(
        `template ${stack.name}, ${place}.EventSourceArn: only queues are event sources here`,
      );
    }
    return [
      {
        functionName: functionNameOf(mapping.FunctionName),
        queueArn: mapping.EventSourceArn,
        batchSize: mapping.BatchSize,
        windowSeconds: mapping.MaximumBatchingWindowInSeconds,
        maximumConcurrency: mapping.ScalingConfig?.MaximumConcurrency,
        reportsItemFailures: mapping.FunctionResponseTypes.includes("ReportBatchItemFailures"),
      },
    ];
  });

/** The function's name in a name or an ARN, with or without a qualifier. */
export const functionNameOf = (nameOrArn: string): string =>
  nameOrArn.startsWith("arn:") ? (nameOrArn.split(":")[6] ?? "") : (nameOrArn.split(":")[0] ?? "");

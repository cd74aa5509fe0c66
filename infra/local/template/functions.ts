import { join, resolve as resolvePath } from "node:path";
import * as z from "zod";
import { isJsonObject } from "./json.ts";
import { type PolicyStatement, readPolicies } from "./policies.ts";
import { findResources, type Source, type SourceResource } from "./source.ts";

const FunctionProperties = z.object({
  Handler: z.string(),
  Timeout: z.coerce.number().default(3),
  ReservedConcurrentExecutions: z.coerce.number().optional(),
  MemorySize: z.coerce.number().default(128),
  Environment: z
    .object({ Variables: z.record(z.string(), z.coerce.string()).default({}) })
    .default({ Variables: {} }),
  LoggingConfig: z
    .object({ ApplicationLogLevel: z.string().default("INFO") })
    .default({ ApplicationLogLevel: "INFO" }),
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

/** A Lambda function of the template. */
export type LocalFunction = {
  /** Physical name; also its caller identity in requests to the local AWS services. */
  name: string;
  arn: string;
  /** Absolute directory of its bundle. */
  directory: string;
  /** File and export, such as `index.handler`. */
  handler: string;
  timeoutSeconds: number;
  memoryMegabytes: number;
  /** Concurrent invocations from which further ones are throttled. */
  reservedConcurrency: number | undefined;
  environment: Record<string, string>;
  /** Level from which the function logs, such as `INFO`. */
  logLevel: string;
  statements: PolicyStatement[];
};

/** An event source mapping from a queue to a function. */
export type EventSource = {
  functionName: string;
  queueArn: string;
  batchSize: number;
  windowSeconds: number;
  maximumConcurrency: number | undefined;
  reportsItemFailures: boolean;
};

/** Reads the functions with the policies of their roles. */
export const readFunctions = (source: Source): LocalFunction[] => {
  const policies = readPolicies(source);
  return findResources(source, "AWS::Lambda::Function").map((resource) => {
    const properties = resource.read(FunctionProperties);
    return {
      name: resource.ref,
      arn: resource.arn,
      directory: codeDirectory(source, resource),
      handler: properties.Handler,
      timeoutSeconds: properties.Timeout,
      memoryMegabytes: properties.MemorySize,
      reservedConcurrency: properties.ReservedConcurrentExecutions,
      environment: properties.Environment.Variables,
      logLevel: properties.LoggingConfig.ApplicationLogLevel,
      statements: policies.get(String(resource.property("Role"))) ?? [],
    };
  });
};

const codeDirectory = ({ assembly }: Source, { template, fault }: SourceResource): string => {
  const path = template.Metadata["aws:asset:path"];
  if (typeof path === "string") return resolvePath(assembly.directory, path);
  const code = template.Properties.Code;
  const key = isJsonObject(code) ? code.S3Key : undefined;
  const hash = typeof key === "string" ? key.replace(/\.[a-z]+$/, "") : "";
  const directory = assembly.assets.get(hash) ?? assembly.assets.get(hash.split("/").at(-1) ?? "");
  if (directory !== undefined) return directory;
  throw fault("Code", "the assembly has no such file asset");
};

/** Returns the file and the export that a function's handler setting names. */
export const parseHandler = (fn: LocalFunction): { file: string; name: string } => {
  const dot = fn.handler.lastIndexOf(".");
  return {
    file: join(fn.directory, `${fn.handler.slice(0, dot)}.mjs`),
    name: fn.handler.slice(dot + 1),
  };
};

/** Reads the enabled event source mappings. Throws a TemplateError for a source other than a queue. */
export const readEventSources = (source: Source): EventSource[] =>
  findResources(source, "AWS::Lambda::EventSourceMapping").flatMap((resource) => {
    const mapping = resource.read(MappingProperties);
    if (!mapping.Enabled) return [];
    if (!mapping.EventSourceArn.startsWith("arn:aws:sqs:")) {
      throw resource.fault("EventSourceArn", "the local stack supports only queues");
    }
    return [
      {
        functionName: parseFunctionName(mapping.FunctionName),
        queueArn: mapping.EventSourceArn,
        batchSize: mapping.BatchSize,
        windowSeconds: mapping.MaximumBatchingWindowInSeconds,
        maximumConcurrency: mapping.ScalingConfig?.MaximumConcurrency,
        reportsItemFailures: mapping.FunctionResponseTypes.includes("ReportBatchItemFailures"),
      },
    ];
  });

/** Extracts the function name from a name or an ARN, with or without a qualifier. */
export const parseFunctionName = (nameOrArn: string): string =>
  nameOrArn.startsWith("arn:") ? (nameOrArn.split(":")[6] ?? "") : (nameOrArn.split(":")[0] ?? "");

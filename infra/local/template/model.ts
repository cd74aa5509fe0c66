import { type LocalApi, readApi } from "./api.ts";
import type { Assembly } from "./assembly.ts";
import {
  type EventSource,
  type LocalFunction,
  readEventSources,
  readFunctions,
} from "./functions.ts";
import { createResolver } from "./resolve.ts";
import { type LocalScheduler, readScheduler } from "./scheduler.ts";
import { type LocalSchedule, readSchedules } from "./schedules.ts";
import type { Source } from "./source.ts";
import {
  type LocalKey,
  type LocalQueue,
  type LocalTable,
  readBuckets,
  readKeys,
  readQueues,
  readTables,
  readVectorBuckets,
} from "./storage.ts";

/** Everything that the local stack runs, read from the templates. */
export type Model = {
  functions: LocalFunction[];
  eventSources: EventSource[];
  schedules: LocalSchedule[];
  tables: LocalTable[];
  queues: LocalQueue[];
  buckets: string[];
  vectorBuckets: string[];
  keys: LocalKey[];
  scheduler: LocalScheduler;
  api: LocalApi;
};

const openSource = (assembly: Assembly, queueEndpoint: string): Source => ({
  assembly,
  resolver: createResolver(assembly, queueEndpoint),
});

/** Reads the functions of the model; queue URLs in their environments begin with `queueEndpoint`. */
export const readModelFunctions = (assembly: Assembly, queueEndpoint: string): LocalFunction[] =>
  readFunctions(openSource(assembly, queueEndpoint));

/**
 * Reads the model; queue URLs begin with `queueEndpoint`.
 * Throws a TemplateError that names the place of anything unsupported.
 */
export const readModel = (assembly: Assembly, queueEndpoint: string): Model => {
  const source = openSource(assembly, queueEndpoint);
  return {
    functions: readFunctions(source),
    eventSources: readEventSources(source),
    schedules: readSchedules(source),
    tables: readTables(source),
    queues: readQueues(source),
    buckets: readBuckets(source),
    vectorBuckets: readVectorBuckets(source),
    keys: readKeys(source),
    scheduler: readScheduler(source),
    api: readApi(source),
  };
};

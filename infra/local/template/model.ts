import { type LocalApi, readApi } from "./api.ts";
import type { Assembly, Stack, TemplateResource } from "./assembly.ts";
import {
  type EventSource,
  type LocalFunction,
  readEventSources,
  readFunctions,
} from "./functions.ts";
import { createResolver, type Resolver } from "./resolve.ts";
import { type LocalScheduler, readScheduler } from "./scheduler.ts";
import { type LocalSchedule, readSchedules } from "./schedules.ts";
import {
  type LocalKey,
  type LocalQueue,
  type LocalTable,
  readBuckets,
  readKeys,
  readQueues,
  readTables,
} from "./storage.ts";

/** Everything that the local stack runs, read from the templates. */
export type Model = {
  functions: LocalFunction[];
  eventSources: EventSource[];
  schedules: LocalSchedule[];
  tables: LocalTable[];
  queues: LocalQueue[];
  buckets: string[];
  keys: LocalKey[];
  scheduler: LocalScheduler;
  api: LocalApi;
};

/** A resource, where it stands, and its properties with every intrinsic resolved. */
export type Found = {
  stack: Stack;
  logicalId: string;
  resource: TemplateResource;
  place: string;
};

/** What the readers of the model read from. */
export type Source = { assembly: Assembly; resolver: Resolver };

/** All resources of the given types, over all stacks. */
export const findResources = ({ assembly }: Source, ...types: string[]): Found[] =>
  assembly.stacks.flatMap((stack) =>
    Object.entries(stack.Resources)
      .filter(([, resource]) => types.includes(resource.Type))
      .map(([logicalId, resource]) => ({
        stack,
        logicalId,
        resource,
        place: `${logicalId}.Properties`,
      })),
  );

/**
 * Reads the model. `queueEndpoint` is where the queues answer, for the URLs that functions get.
 * Throws a TemplateError that names the place of anything it cannot follow.
 */
export const readModel = (assembly: Assembly, queueEndpoint: string): Model => {
  const source = { assembly, resolver: createResolver(assembly, queueEndpoint) };
  return {
    functions: readFunctions(source),
    eventSources: readEventSources(source),
    schedules: readSchedules(source),
    tables: readTables(source),
    queues: readQueues(source),
    buckets: readBuckets(source),
    keys: readKeys(source),
    scheduler: readScheduler(source),
    api: readApi(source),
  };
};

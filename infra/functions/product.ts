import { routes } from "../../functions/routes.ts";
import { consumers } from "../../functions/workers/messages.ts";
import { schedules } from "../../functions/workers/schedules.ts";
import {
  type FunctionRecord,
  type HttpFunctionRecord,
  type ScheduleRecord,
  toHttpFunctions,
  toScheduledFunctions,
  toWorkers,
  type WorkerRecord,
} from "./function-records.ts";

/** All functions: behind the gateway, behind the queues, and on a schedule. */
export type Product = {
  http: readonly HttpFunctionRecord[];
  workers: readonly WorkerRecord[];
  schedules: readonly ScheduleRecord[];
};

/** The product that the rows in `functions/` describe. */
export const product: Product = {
  http: toHttpFunctions(routes),
  workers: toWorkers(consumers),
  schedules: toScheduledFunctions(schedules),
};

/** Returns all functions of a product. */
export const everyFunction = ({ http, workers, schedules }: Product): FunctionRecord[] => [
  ...http,
  ...workers,
  ...schedules,
];

import { routes } from "../functions/routes.ts";
import { consumers } from "../functions/workers/messages.ts";
import { schedules } from "../functions/workers/schedules.ts";
import {
  type FunctionRecord,
  functionsOf,
  type HttpFunctionRecord,
  type ScheduleRecord,
  schedulesOf,
  type WorkerRecord,
  workersOf,
} from "./functions.ts";

/** Every function of the product: behind the gateway, behind the queues, and started by a clock. */
export type Product = {
  http: readonly HttpFunctionRecord[];
  workers: readonly WorkerRecord[];
  schedules: readonly ScheduleRecord[];
};

/** The product that the rows in `functions/` describe. */
export const product: Product = {
  http: functionsOf(routes),
  workers: workersOf(consumers),
  schedules: schedulesOf(schedules),
};

/** All functions of a product, whatever calls them. */
export const everyFunction = ({ http, workers, schedules }: Product): FunctionRecord[] => [
  ...http,
  ...workers,
  ...schedules,
];

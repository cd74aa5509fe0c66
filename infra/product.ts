import { routes } from "../functions/routes.ts";
import { consumers } from "../functions/workers/messages.ts";
import { functionsOf, type HttpFunctionRecord, type WorkerRecord, workersOf } from "./functions.ts";

/** Every function of the product: behind the gateway, and behind the queues. */
export type Product = {
  http: readonly HttpFunctionRecord[];
  workers: readonly WorkerRecord[];
};

/** The product that the rows in `functions/` describe. */
export const product: Product = { http: functionsOf(routes), workers: workersOf(consumers) };

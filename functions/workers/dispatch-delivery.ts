import { batchConsumer } from "../../lib/edge/consumer.ts";
import { dispatchDeliveries } from "../../lib/webhooks/delivery/dispatch-deliveries.ts";
import { dispatchDeps } from "../deps/dispatch-deps.ts";
import * as rows from "./messages.ts";

export const handler = batchConsumer(rows.dispatchDelivery, dispatchDeps, (jobs, deps, call) =>
  dispatchDeliveries(deps, { jobs, call }),
);

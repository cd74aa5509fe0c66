import { consumer } from "../../lib/edge/consumer.ts";
import { dispatchDeps } from "../../lib/webhooks/delivery/deps.ts";
import { dispatchDelivery } from "../../lib/webhooks/delivery/dispatch-delivery.ts";
import * as rows from "./messages.ts";

export const handler = consumer(rows.dispatchDelivery, dispatchDeps, (message, deps, { attempt }) =>
  dispatchDelivery(deps, message, attempt),
);

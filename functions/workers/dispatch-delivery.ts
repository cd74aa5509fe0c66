import { consumer } from "../../lib/edge/consumer.ts";
import { dispatchDelivery } from "../../lib/webhooks/delivery/dispatch-delivery.ts";
import { dispatchDeps } from "../deps/dispatch-deps.ts";
import * as rows from "./messages.ts";

export const handler = consumer(rows.dispatchDelivery, dispatchDeps, (message, deps, { attempt }) =>
  dispatchDelivery(deps, { message, attempt }),
);

import { consumer } from "../../lib/edge/consumer.ts";
import { dispatchDeps } from "../../lib/webhooks/delivery/deps.ts";
import { dispatchDelivery as dispatch } from "../../lib/webhooks/delivery/dispatch-delivery.ts";
import { dispatchDelivery } from "./messages.ts";

export const handler = consumer(dispatchDelivery, dispatchDeps, (message, deps, { attempt }) =>
  dispatch(deps, message, attempt),
);

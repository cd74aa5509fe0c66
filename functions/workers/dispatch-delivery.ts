import { consumer } from "../../lib/edge/consumer.ts";
import { database } from "../../lib/platform/db/database.ts";
import { sendMany } from "../../lib/platform/queue/send.ts";
import { dispatchDelivery as dispatch } from "../../lib/webhooks/delivery/dispatch-delivery.ts";
import { dispatchDelivery } from "./messages.ts";

const deps = () => ({ db: database(), sendMany });

export const handler = consumer(dispatchDelivery, deps, (message, deps) => dispatch(deps, message));

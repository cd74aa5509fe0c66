import { database } from "../../lib/db/database.ts";
import { dispatchDelivery as dispatch } from "../../lib/inbound/dispatch-delivery.ts";
import { consumer } from "../../lib/queue/consumer.ts";
import { sendMany } from "../../lib/queue/send.ts";
import { dispatchDelivery } from "./messages.ts";

const deps = () => ({ db: database(), sendMany });

export const handler = consumer(dispatchDelivery, deps, (message, deps) => dispatch(deps, message));

import { consumer } from "../../lib/edge/consumer.ts";
import { publishEvent } from "../../lib/notifications/alert/publish-event.ts";
import { database } from "../../lib/platform/db/database.ts";
import { sendMany } from "../../lib/platform/queue/send.ts";
import * as rows from "./messages.ts";

const deps = () => ({ db: database(), sendMany });

export const handler = consumer(rows.publishEvent, deps, ({ event }, deps) =>
  publishEvent(deps, event),
);

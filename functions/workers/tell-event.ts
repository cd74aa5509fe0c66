import { consumer } from "../../lib/edge/consumer.ts";
import { tellEvent as tell } from "../../lib/notifications/alert/tell-event.ts";
import { database } from "../../lib/platform/db/database.ts";
import { sendMany } from "../../lib/platform/queue/send.ts";
import { tellEvent } from "./messages.ts";

const deps = () => ({ db: database(), sendMany });

export const handler = consumer(tellEvent, deps, ({ event }, deps) => tell(deps, event));

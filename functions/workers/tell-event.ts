import { tellEvent as tell } from "../../lib/alert/tell-event.ts";
import { database } from "../../lib/db/database.ts";
import { consumer } from "../../lib/queue/consumer.ts";
import { sendMany } from "../../lib/queue/send.ts";
import { tellEvent } from "./messages.ts";

const deps = () => ({ db: database(), sendMany });

export const handler = consumer(tellEvent, deps, ({ event }, deps) => tell(deps, event));

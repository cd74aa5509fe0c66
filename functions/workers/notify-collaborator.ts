import { consumer } from "../../lib/edge/consumer.ts";
import {
  type MailDeps,
  notifyCollaborator,
} from "../../lib/notifications/alert/notify-collaborator.ts";
import { sendMail } from "../../lib/notifications/alert/send-mail.ts";
import { database } from "../../lib/platform/db/database.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import * as rows from "./messages.ts";

const deps = (): MailDeps => ({ db: database(), sendMail, ...systemRuntime });

export const handler = consumer(rows.notifyCollaborator, deps, ({ event, userId }, deps) =>
  notifyCollaborator(deps, { event, userId }),
);

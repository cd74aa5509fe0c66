import { sendMail } from "../../lib/alert/send-mail.ts";
import { type MailDeps, tellCollaborator as tell } from "../../lib/alert/tell-collaborator.ts";
import { database } from "../../lib/db/database.ts";
import { consumer } from "../../lib/queue/consumer.ts";
import { systemRuntime } from "../../lib/runtime/runtime.ts";
import { tellCollaborator } from "./messages.ts";

const deps = (): MailDeps => ({ db: database(), sendMail, clock: systemRuntime.clock });

export const handler = consumer(tellCollaborator, deps, ({ event, userId }, deps) =>
  tell(deps, event, userId),
);

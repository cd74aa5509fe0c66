import type { Database } from "../../platform/db/database.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { log } from "../../platform/runtime/log.ts";
import type { Clock } from "../../platform/runtime/runtime.ts";
import { getAgentAndCollaborator } from "../../tenancy/collaborator/store.ts";
import { composeMail } from "./compose-mail.ts";
import { countMail, mostMailsAnHour } from "./mail-count-store.ts";
import type { SendMail } from "./send-mail.ts";
import { tellOnce } from "./tell-once.ts";
import { addressFor } from "./wants.ts";

const lastOfTheHour = `This is the ${mostMailsAnHour}th such mail within the hour: until the next one you get no more of them.\n`;

/** What telling a collaborator needs. */
export type MailDeps = { db: Database; sendMail: SendMail; clock: Clock };

/**
 * Mails a collaborator, once for an event; not when they are one no more, or do not want it any more. Of a kind
 * about an agent an address gets only so many an hour; the last of them says so, and the others are dropped.
 */
export const tellCollaborator = async (
  deps: MailDeps,
  event: OrganizationEvent,
  userId: string,
): Promise<void> => {
  const { db, sendMail, clock } = deps;
  const { tenantId, agentId } = event;
  if (tenantId === null || agentId === null) return;
  const { collaborator } = await getAgentAndCollaborator(db, tenantId, agentId, userId);
  const to = collaborator && addressFor(collaborator, event.type);
  if (to === undefined) return;
  const mail = composeMail({ ...event, tenantId, agentId });
  if (!mail) return;
  const tell = async (): Promise<void> => {
    const nth = await countMail(db, event, to, clock());
    if (nth === undefined) return log().warn("a mail too many was dropped", { event: event.id });
    const text = nth < mostMailsAnHour ? mail.text : mail.text + lastOfTheHour;
    await sendMail({ ...mail, to, text });
  };
  // By the address: of two collaborators who share one, it gets one mail.
  await tellOnce(deps, { eventId: event.id, recipient: `mail:${to.toLowerCase()}` }, tell);
};

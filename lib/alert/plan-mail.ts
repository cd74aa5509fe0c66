import { getAgentAndCollaborator } from "../collaborator/store.ts";
import type { Database } from "../db/database.ts";
import type { OrganizationEvent } from "../event/organization-event.ts";
import { log } from "../runtime/log.ts";
import type { Clock } from "../runtime/runtime.ts";
import { composeMail } from "./compose-mail.ts";
import type { PlannedAlert } from "./deliver-alert.ts";
import { countMail, mostMailsAnHour } from "./mail-count-store.ts";
import type { SendMail } from "./send-mail.ts";
import { addressFor } from "./wants.ts";

const lastOfTheHour = `This is the ${mostMailsAnHour}th such mail within the hour: until the next one you get no more of them.\n`;

/**
 * The mail to a collaborator; undefined when they are one no more, or do not want it any more. Of a kind about
 * an agent an address gets only so many an hour; the last of them says so, and the others are dropped.
 */
export const planMail = async (
  { db, sendMail, clock }: { db: Database; sendMail: SendMail; clock: Clock },
  event: OrganizationEvent,
  userId: string,
): Promise<PlannedAlert | undefined> => {
  const { tenantId, agentId } = event;
  if (tenantId === null || agentId === null) return undefined;
  const { collaborator } = await getAgentAndCollaborator(db, tenantId, agentId, userId);
  const to = collaborator && addressFor(collaborator, event.type);
  if (to === undefined) return undefined;
  const mail = composeMail({ ...event, tenantId, agentId });
  // By the address: of two collaborators who share one, it gets one mail.
  if (!mail) return undefined;
  const tell = async (): Promise<void> => {
    const nth = await countMail(db, event, to, clock());
    if (nth === undefined) return log().warn("a mail too many was dropped", { event: event.id });
    const text = nth < mostMailsAnHour ? mail.text : mail.text + lastOfTheHour;
    await sendMail({ ...mail, to, text });
  };
  return { recipient: `mail:${to.toLowerCase()}`, tell };
};

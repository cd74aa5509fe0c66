import { getAgentAndCollaborator } from "../collaborator/store.ts";
import type { Database } from "../db/database.ts";
import type { OrganizationEvent } from "../event/organization-event.ts";
import { composeMail } from "./compose-mail.ts";
import type { PlannedAlert } from "./deliver-alert.ts";
import type { SendMail } from "./send-mail.ts";
import { addressFor } from "./wants.ts";

/** The mail to a collaborator; undefined when they are one no more, or do not want it any more. */
export const planMail = async (
  { db, sendMail }: { db: Database; sendMail: SendMail },
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
  return mail && { recipient: `mail:${to.toLowerCase()}`, tell: () => sendMail({ to, ...mail }) };
};

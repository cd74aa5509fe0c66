import { isAddress, lowerAddress } from "../../platform/auth/mail-address.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { log } from "../../platform/runtime/log.ts";
import type { Runtime } from "../../platform/runtime/runtime.ts";
import type { CollaboratorItem } from "../../tenancy/collaborator/schemas.ts";
import { getAgentAndCollaborator, listCollaborators } from "../../tenancy/collaborator/store.ts";
import { addressFor } from "./alert-preferences.ts";
import { composeMail } from "./compose-mail.ts";
import { announceLimit, countMail } from "./mail-count-store.ts";
import { notifyOnce } from "./notify-once.ts";
import type { SendMail } from "./send-mail.ts";

/** Dependencies of notifying a collaborator. */
export type MailDeps = Runtime & { db: Database; sendMail: SendMail };

/**
 * Mails a collaborator about an event once, if they are still subscribed. At most 20 mails an hour
 * go to one address per agent and event type: the last one announces the limit, further ones are
 * dropped.
 */
export const notifyCollaborator = async (
  deps: MailDeps,
  { event, userId }: { event: OrganizationEvent; userId: string },
): Promise<void> => {
  const { db, sendMail, clock } = deps;
  const { tenantId, agentId } = event;
  if (tenantId === null || agentId === null) return;
  const collaborator = await findCollaborator(db, { tenantId, agentId, userId });
  const to = collaborator && addressFor(collaborator, event.type);
  if (to === undefined) return;
  const mail = composeMail({ ...event, tenantId, agentId });
  if (!mail) return;
  const notify = async (): Promise<void> => {
    const nth = await countMail(db, event, to, clock());
    if (nth === undefined) return log("mail-dropped", { event: event.id });
    await sendMail({ ...mail, to, text: mail.text + announceLimit(nth) });
  };
  // Deduplicated by address: two collaborators who share one receive one mail.
  await notifyOnce(deps, {
    name: { eventId: event.id, recipient: `mail:${to.toLowerCase()}` },
    notify,
  });
};

/** Finds a collaborator; the user of an invitation to an address that became theirs after the event. */
const findCollaborator = async (
  db: Database,
  { tenantId, agentId, userId }: { tenantId: TenantId; agentId: string; userId: string },
): Promise<CollaboratorItem | undefined> => {
  const { collaborator } = await getAgentAndCollaborator(db, tenantId, agentId, userId);
  if (collaborator || !isAddress(userId)) return collaborator;
  const others = await listCollaborators(db, tenantId, agentId);
  return others.find(({ email }) => email !== null && lowerAddress(email) === userId);
};

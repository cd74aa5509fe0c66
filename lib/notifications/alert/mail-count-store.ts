import { createHash } from "node:crypto";
import type { Database } from "../../platform/db/database.ts";
import { updateItem } from "../../platform/db/write-item.ts";
import type { OrganizationEvent } from "../../platform/outbox/organization-event.ts";
import { mailCountKey } from "../keys.ts";

/** Maximum mails per hour to one address about one agent and event type. */
const maxMailsAnHour = 20;

const hourMs = 3_600_000;

/** Returns what the last mail of the hour adds to its text; nothing for the others. */
export const announceLimit = (nth: number): string =>
  nth < maxMailsAnHour
    ? ""
    : `This is mail ${maxMailsAnHour} of this type within the hour. You will receive no more until the next hour.\n`;

/** MAILS#…: counts a mail to an address in this hour and returns its number; undefined when the limit is exceeded. */
export const countMail = async (
  db: Database,
  { tenantId, agentId, type }: Pick<OrganizationEvent, "tenantId" | "agentId" | "type">,
  address: string,
  now: number,
): Promise<number | undefined> => {
  const hour = Math.floor(now / hourMs);
  const name = JSON.stringify([tenantId, agentId, type, address.toLowerCase()]);
  const digest = createHash("sha256").update(name).digest("hex");
  const { written, item } = await updateItem(db, {
    Key: mailCountKey(digest, hour),
    UpdateExpression: "SET #ttl = :ttl ADD mails :one",
    ConditionExpression: "attribute_not_exists(mails) OR mails < :most",
    ExpressionAttributeNames: { "#ttl": "ttl" },
    ExpressionAttributeValues: {
      ":ttl": ((hour + 2) * hourMs) / 1_000,
      ":one": 1,
      ":most": maxMailsAnHour,
    },
    ReturnValues: "UPDATED_NEW",
  });
  return written ? Number(item?.mails) : undefined;
};

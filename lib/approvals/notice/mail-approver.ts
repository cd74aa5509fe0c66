import { type ApprovalItem, getApproval } from "../../executions/approvals/approval-store.ts";
import { isMailAddress } from "../../notifications/alert/mail-address.ts";
import { announceLimit, countMail } from "../../notifications/alert/mail-count-store.ts";
import { notifyOnce } from "../../notifications/alert/notify-once.ts";
import type { SendMail } from "../../notifications/alert/send-mail.ts";
import { log } from "../../platform/runtime/log.ts";
import type { Runtime } from "../../platform/runtime/runtime.ts";
import { describeRequest, shorten } from "../describe-request.ts";
import { buildSentLink, type LinkDeps } from "../link/build-link.ts";
import type { MailApproverMessage } from "../messages.ts";

/** Dependencies of mails to approvers. */
export type ApproverMailDeps = Runtime & LinkDeps & { sendMail: SendMail };

const maxSubjectLength = 100;

/**
 * Mails an approver the question and a link that decides in the name of the address, once. Nothing is sent about an
 * approval that has ended, and beyond the limit of mails to an address.
 */
export const mailApprover = async (
  deps: ApproverMailDeps,
  { event, address }: Pick<MailApproverMessage, "event" | "address">,
): Promise<void> => {
  const { db, clock, sendMail } = deps;
  const { tenantId, agentId, data } = event;
  if (tenantId === null || agentId === null || !isMailAddress(address)) return;
  const item = await getApproval(db, tenantId, String(data.approvalId));
  if (item?.status !== "Pending") return;
  const link = await buildSentLink(deps, { tenantId, item, owner: { type: "mail", address } });
  const notify = async (): Promise<void> => {
    const nth = await countMail(db, { tenantId, agentId, type: event.type }, address, clock());
    if (nth === undefined) return log("mail-dropped", { event: event.id });
    const { subject, text } = composeMail(item, address, link);
    await sendMail({ to: address, subject, text: text + announceLimit(nth) });
  };
  await notifyOnce(deps, { name: { eventId: event.id, recipient: `approver:${address}` }, notify });
};

/** Composes the mail to an approver. Contains no secret but the link. */
const composeMail = (item: ApprovalItem, address: string, link: string | undefined) => ({
  subject: shorten(`[Wharf] ${item.title}`, maxSubjectLength).replaceAll("\n", " "),
  text: [
    describeRequest(item).text,
    "",
    ...(link === undefined
      ? ["Decide it on the page Approvals of the console."]
      : ["Open this page to decide. Whoever has its address can decide in your name:", "", link]),
    "",
    `You receive this mail because ${address} is an approver of the agent "${item.agentId}".`,
    "",
  ].join("\n"),
});

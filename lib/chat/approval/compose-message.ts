import { describeEnd, describeRequest } from "../../approvals/describe-request.ts";
import { buildSentLink } from "../../approvals/link/build-link.ts";
import { needsFields } from "../../approvals/needs-fields.ts";
import type { ApprovalItem } from "../../executions/approvals/approval-store.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { ChatContent } from "../../vendors/chat-provider.ts";
import type { ApprovalChatDeps, Channel } from "./open-channel.ts";
import { buildPressData } from "./press.ts";

const maxLabelLength = 75;

/**
 * Composes the message of a pending approval: what is asked, a button for each action that needs no fields, and a link
 * for what buttons cannot show or do.
 */
export const composeRequest = async (
  deps: Pick<ApprovalChatDeps, "db" | "sealer" | "publicUrl">,
  {
    channel: { connector, provider },
    tenantId,
    item,
  }: {
    channel: Pick<Channel, "connector" | "provider">;
    tenantId: TenantId;
    item: ApprovalItem;
  },
): Promise<ChatContent> => {
  const { text, isWhole } = describeRequest(item);
  const buttons = item.actions.flatMap(({ id, label }, action) =>
    provider.buttons && !needsFields(item, id)
      ? {
          label: label.slice(0, maxLabelLength),
          data: buildPressData({ approvalId: item.id, action }),
        }
      : [],
  );
  if (provider.buttons && isWhole && item.fields.length === 0) return { text, buttons };
  const owner = { type: "chat", connectorId: connector.id } as const;
  const { db, sealer, publicUrl } = deps;
  const link = await buildSentLink({ db, sealer, publicUrl }, { tenantId, item, owner });
  return { text: link === undefined ? text : `${text}\n\n${link}`, buttons };
};

/** Composes the message of an approval that has ended. */
export const composeEnd = (item: ApprovalItem): ChatContent => ({
  text: describeEnd(item),
  buttons: [],
});

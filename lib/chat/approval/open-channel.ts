import type { ExecutionDeps } from "../../executions/job/job.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { refusalIn } from "../../platform/outgoing/provider-api-error.ts";
import { createProviderFetch } from "../../platform/outgoing/provider-fetch.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import { log } from "../../platform/runtime/log.ts";
import type { ChatCall, ChatProvider } from "../../vendors/chat-provider.ts";
import { chatProvider } from "../../vendors/registry/find-chat-provider.ts";
import type { ConnectorItem } from "../connector/items.ts";
import { openParameters } from "../connector/secrets.ts";

/** Dependencies of the messages about approvals in chats. */
export type ApprovalChatDeps = Pick<
  ExecutionDeps,
  "db" | "objects" | "sealer" | "send" | "runtime" | "sleep" | "publicUrl"
> & { outgoing: OutgoingOptions };

/** A connector, and how its provider is called. */
export type Channel = { connector: ConnectorItem; provider: ChatProvider; call: ChatCall };

/** Time reserved for storing what was sent. */
const storingMs = 5_000;

/** Returns how a connector's provider is called until a deadline, Unix milliseconds. */
export const openChannel = async (
  { sealer, outgoing, runtime, sleep }: ApprovalChatDeps,
  {
    tenantId,
    connector,
    deadline,
  }: { tenantId: TenantId; connector: ConnectorItem; deadline: number },
): Promise<Channel> => {
  const neverAborted = new AbortController().signal;
  const calling = {
    outgoing,
    clock: runtime.clock,
    sleep: (ms: number) => sleep(ms, neverAborted),
  };
  const parameters = await openParameters(sealer, tenantId, connector);
  const fetch = createProviderFetch(calling, deadline - storingMs);
  const call = { connectorId: connector.id, parameters, fetch, now: runtime.clock() };
  return { connector, provider: chatProvider(connector.provider), call };
};

/** Calls a provider. Throws when a retry may succeed; logs a refusal that is permanent, and returns undefined. */
export const callUnlessRefused = async <Result>(
  { connector }: Pick<Channel, "connector">,
  approvalId: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> => {
  try {
    return await work();
  } catch (error) {
    const refusal = refusalIn(error);
    if (!refusal || refusal.isTransient) throw error;
    const { reason } = refusal;
    log("approval-message-refused", { connectorId: connector.id, approvalId, reason });
    return undefined;
  }
};

import type { TenantOwner } from "../../tenancy/tenant/store.ts";
import type { ChatMessage } from "../../vendors/chat-message.ts";
import type { ConnectorItem } from "../connector/items.ts";

/** A message and the connector that received it. */
export type Incoming = {
  tenant: Pick<TenantOwner, "id" | "organizationId">;
  connector: Pick<ConnectorItem, "id" | "agentId" | "provider" | "policy" | "onBoardingMessage">;
  message: ChatMessage;
};

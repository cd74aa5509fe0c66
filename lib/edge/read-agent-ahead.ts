import { setImmediate } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { hashApiKey } from "../platform/auth/api-key-format.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { getAgentAndRoles, type HeldRole } from "../tenancy/collaborator/role-store.ts";
import type { Admitted, InTenant, Link } from "./context.ts";
import type { Row } from "./route.ts";

/** Maximum number of callers at agents that an instance remembers. */
const maxCallers = 1_000;

/** An agent, and the users whom a caller's role at it depends on. */
type AgentReader = { tenantId: TenantId; agentId: string; userIds: readonly string[] };

/** The agent of a call, unparsed, and the roles of its caller, read while the credentials are checked; undefined if that failed. */
export type Ahead = AgentReader & {
  read: Promise<{ agent: unknown; held: HeldRole[] } | undefined>;
};

/** Set by `readAgentAhead`: the name of the caller, and what was read for one that it knows. */
export type WithAhead = { caller?: string | undefined; ahead?: Ahead | undefined };

/**
 * Reads the agent of the path, with the caller's role, while the credentials are checked, for a caller who was admitted to it by this
 * instance before and not refused since. The checks come as always, and nothing of what was read is used before them.
 */
export const readAgentAhead = ({
  readsAgent,
}: Pick<Row, "readsAgent">): Link<InTenant & WithAhead> => {
  const callers = new Map<string, AgentReader>();
  return {
    before: ({ context }) => {
      if (!readsAgent) return;
      context.caller = nameCaller(context);
      const reader = callers.get(context.caller);
      if (!reader) return;
      const { tenantId, agentId, userIds } = reader;
      // The call of the credentials, which takes longer, is sent first.
      const read = setImmediate().then(() =>
        getAgentAndRoles(context.database(), tenantId, agentId, userIds),
      );
      context.ahead = { ...reader, read: read.catch(() => undefined) };
    },
    after: ({ context: { caller, tenant, principal, pathValues } }) => {
      if (caller === undefined || !tenant || pathValues.agent === undefined) return;
      if (callers.size >= maxCallers) callers.clear();
      const { userIds } = principal;
      callers.set(caller, { tenantId: tenant.id, agentId: pathValues.agent, userIds });
    },
    onError: ({ context: { caller } }) => {
      if (caller !== undefined) callers.delete(caller);
    },
  };
};

/** Returns what was read ahead of the same agent for the same users; undefined for none. */
export const takeAhead = async (
  ahead: Ahead | undefined,
  { tenantId, agentId, userIds }: AgentReader,
): Promise<Awaited<Ahead["read"]>> => {
  const isSame =
    ahead?.tenantId === tenantId &&
    ahead.agentId === agentId &&
    isDeepStrictEqual(ahead.userIds, userIds);
  return isSame ? ahead.read : undefined;
};

/** Names a caller at an agent, without its credentials. */
const nameCaller = ({ headers, pathValues }: Pick<Admitted, "headers" | "pathValues">): string => {
  const { tenant, agent } = pathValues;
  const sent = [headers.get("x-api-key"), headers.get("authorization"), tenant, agent];
  return hashApiKey(JSON.stringify(sent));
};

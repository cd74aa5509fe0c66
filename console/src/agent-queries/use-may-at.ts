import { useQueries } from "@tanstack/react-query";
import type { CollaboratorRole } from "../../../client/openapi.ts";
import { useMay, useScopeCatalog } from "../session/permissions.ts";
import { useSession } from "../session/session-context.ts";
import { useCollaboratorsQuery } from "./use-collaborators.ts";

const reach: Readonly<Record<CollaboratorRole, number>> = { Viewer: 0, Editor: 1, Owner: 2 };

/** Rights of the user at an agent. */
export type RightsAt = {
  /** Reports whether the user has a scope and, as a collaborator, at least a role: Editor by default. */
  mayAt: (scope: string, role?: CollaboratorRole) => boolean;
  /** Whether the scopes and the role were read; until then, `mayAt` reports false. */
  isKnown: boolean;
};

/** Returns the rights of the user at an agent: those of the scopes, which the role of a collaborator limits. */
export const useRightsAt = (agent: string): RightsAt => useRightsAtAll([agent]);

/** Returns the rights that the user has at each of some agents. */
export const useRightsAtAll = (agents: readonly string[]): RightsAt =>
  useAgentRights(agents)(agents);

/** Reads the roles at some agents; returns the rights that the user has at each of those that are asked for. */
export const useAgentRights = (
  agents: readonly string[],
): ((asked: readonly string[]) => RightsAt) => {
  const may = useMay();
  const hasCatalog = useScopeCatalog().isFetched;
  const { user } = useSession();
  const isAsked = may("agents:read");
  const toQuery = useCollaboratorsQuery();
  const lists = useQueries({
    queries: agents.map((agent) => ({ ...toQuery(agent), enabled: isAsked, staleTime: 60_000 })),
  });
  const listsByAgent = new Map(agents.map((agent, at) => [agent, lists[at]]));
  return (asked) => {
    const ofAsked = asked.map((agent) => listsByAgent.get(agent));
    const roles = ofAsked.map((list) => list?.data?.find(({ userId }) => userId === user.id)?.role);
    // A failed read is pending again while it is repeated: a page that waits for the rights must not start it again.
    const isRead = ofAsked.every((list) => !list?.isPending || list.errorUpdateCount > 0);
    const isKnown = hasCatalog && (!isAsked || isRead);
    return {
      isKnown,
      mayAt: (scope, role = "Editor") =>
        isKnown &&
        may(scope) &&
        roles.every((assigned) => assigned === undefined || reach[assigned] >= reach[role]),
    };
  };
};

/**
 * Reports whether the user may do something at an agent. Changes and runs need an Editor; deleting the agent, its budget
 * and its collaborators an Owner.
 */
export const useMayAt = (agent: string): RightsAt["mayAt"] => useRightsAt(agent).mayAt;

import type { Collaborator } from "../../../client/openapi.ts";

/** A user, and their roles at agents. */
export type Member = {
  userId: string;
  name: string;
  email: string | null;
  isActive: boolean;
  roles: { agentId: string; role: Collaborator["role"] }[];
};

/** Lists the users among the collaborators of agents, by name. Users are active if any of their invitations is. */
export const listMembers = (collaborators: readonly Collaborator[]): Member[] => {
  const members = new Map<string, Member>();
  for (const { userId, firstName, lastName, email, status, agentId, role } of collaborators) {
    const known = members.get(userId);
    const name = [firstName, lastName].filter(Boolean).join(" ");
    members.set(userId, {
      userId,
      name: known?.name || name,
      email: known?.email ?? email,
      isActive: known?.isActive === true || status === 1,
      roles: [...(known?.roles ?? []), { agentId, role }],
    });
  }
  return [...members.values()].sort((one, other) => toLabel(one).localeCompare(toLabel(other)));
};

const toLabel = ({ name, email, userId }: Member): string => name || (email ?? userId);

import { useQueries } from "@tanstack/react-query";
import { useAgents } from "../agent-queries/use-agents.ts";
import { useCollaboratorsQuery } from "../agent-queries/use-collaborators.ts";
import { useLoadAll } from "../shared/use-load-all.ts";
import { listMembers } from "./list-members.ts";

/** Maximum agents of which collaborators are read. */
export const maxAgents = 200;

/** Reads the users among the collaborators of the agents, the most recent ones first. */
export const useMembers = () => {
  const buildQuery = useCollaboratorsQuery();
  const agents = useLoadAll(useAgents());
  const ids = agents.items.slice(0, maxAgents).map(({ id }) => id);
  const lists = useQueries({
    queries: ids.map(buildQuery),
  });
  const isLoading = agents.isLoading || lists.some((list) => list.isPending);
  const error = agents.error ?? lists.find((list) => list.error)?.error;
  const data = isLoading ? undefined : listMembers(lists.flatMap((list) => list.data ?? []));
  return { data, isLoading, error, isCut: agents.items.length > maxAgents };
};

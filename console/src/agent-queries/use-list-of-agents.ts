import { unwrapBody } from "../../../client/client.ts";
import { iterateItems, type Page, type PageQuery } from "../../../client/pages.ts";
import { ProblemError } from "../../../client/problem-error.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { type ListState, useList } from "../shared/use-list.ts";

type AgentsListOptions<Item> = {
  /** Key of the cache after the tenant, with the filters. */
  queryKey: readonly unknown[];
  /** The agent to list; undefined for all. */
  agent: string | undefined;
  read: (agent: string, query: PageQuery) => Promise<Page<Item>>;
  getId: (item: Item) => string;
  /** Reads the first page again every few seconds while the page is visible; the lists of all agents less often. */
  isLive?: boolean;
};

/** Agents per page of a merged list. */
const agentsPerPage = 20;

const allMilliseconds = 15_000;

/** Reads a list of an agent, or the lists of all agents, some agents at a time. */
export const useListOfAgents = <Item>(options: AgentsListOptions<Item>): ListState<Item> => {
  const { queryKey, agent, read, getId, isLive = false } = options;
  const client = useClient();
  const tenant = useTenant();
  const readAll = async (query: PageQuery): Promise<Page<Item>> => {
    const agents = await unwrapBody(
      client.GET("/v1/tenants/{tenant}/agents", {
        params: { path: { tenant }, query: { ...query, PageSize: agentsPerPage } },
      }),
    );
    const lists = await Promise.all(
      agents.items.map(({ id }) =>
        Array.fromAsync(iterateItems((page) => read(id, page))).catch(none),
      ),
    );
    return { items: lists.flat(), nextPageToken: agents.nextPageToken };
  };
  return useList<Item>({
    queryKey: [tenant, ...queryKey, { agent }],
    getId,
    isLive,
    ...(agent === undefined && { liveMilliseconds: allMilliseconds }),
    read: agent === undefined ? readAll : (query) => read(agent, query),
  });
};

/** An agent that was deleted meanwhile, or that the user may not see, has no items. */
const none = (error: unknown): never[] => {
  const isHidden = error instanceof ProblemError && [403, 404].includes(error.status);
  if (isHidden && error.problem.requiredScope === undefined) return [];
  throw error;
};

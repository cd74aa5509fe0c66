import { useInfiniteQuery, useQueries, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { unwrapBody } from "../../../client/client.ts";
import type { ExecutionDetail, Session } from "../../../client/openapi.ts";
import { pageQuery } from "../../../client/pages.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { nullIfMissing } from "../shared/null-if-missing.ts";
import { useAction } from "../shared/use-action.ts";
import { useList } from "../shared/use-list.ts";

const sessionsPath = "/v1/tenants/{tenant}/agents/{agent}/sessions";
const sessionPath = `${sessionsPath}/{session}` as const;
const liveMilliseconds = 10_000;
const busyMilliseconds = 2_000;

/** Lists the sessions of an agent, newest first; new ones appear by themselves. */
export const useSessions = (agent: string, endUserId: string | undefined) => {
  const client = useClient();
  const tenant = useTenant();
  return useList<Session>({
    queryKey: [tenant, "sessions", agent, { endUserId }],
    getId: ({ id }) => id,
    isLive: true,
    liveMilliseconds,
    read: (page) =>
      unwrapBody(
        client.GET(sessionsPath, {
          params: {
            path: { tenant, agent },
            query: { ...page, ...(endUserId !== undefined && { endUserId }) },
          },
        }),
      ),
  });
};

/** Reads a session of an agent, again and again: others may continue it. */
export const useAgentSession = (agent: string, session: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "sessions", agent, session],
    queryFn: () =>
      unwrapBody(client.GET(sessionPath, { params: { path: { tenant, agent, session } } })),
    refetchInterval: ({ state: { data } }) =>
      data?.status === "Busy" ? busyMilliseconds : liveMilliseconds,
  });
};

/** Messages of a page: about ten turns without calls of tools. */
const messagesOfPage = 30;

/**
 * Reads the latest messages of a session, oldest first, earlier ones on request, and all of them again after each turn; none
 * until the session is read.
 */
export const useSessionMessages = (agent: string, id: string, session: Session | undefined) => {
  const client = useClient();
  const tenant = useTenant();
  const pages = useInfiniteQuery({
    queryKey: [tenant, "sessions", agent, id, "messages"],
    enabled: session !== undefined,
    refetchOnWindowFocus: false,
    initialPageParam: pageQuery(null, messagesOfPage),
    queryFn: ({ pageParam }) =>
      unwrapBody(
        client.GET(`${sessionPath}/messages`, {
          params: {
            path: { tenant, agent, session: id },
            query: { ...pageParam, order: "newest" as const },
          },
        }),
      ),
    getNextPageParam: ({ nextPageToken }) =>
      nextPageToken === null ? null : pageQuery(nextPageToken, messagesOfPage),
  });
  const { refetch } = pages;
  const version = session && `${session.createdAt} ${session.turnCount}`;
  const read = useRef(version);
  useEffect(() => {
    if (read.current !== undefined && read.current !== version) void refetch();
    read.current = version;
  }, [version, refetch]);
  const messages = useMemo(
    () => pages.data?.pages.flatMap(({ items }) => items).reverse(),
    [pages.data],
  );
  return {
    messages,
    error: pages.error,
    isLoading: pages.isLoading,
    hasEarlier: pages.hasNextPage,
    isLoadingEarlier: pages.isFetchingNextPage,
    loadEarlier: () => void pages.fetchNextPage(),
  };
};

/** Reads the executions of turns, which have ended; without those that are not kept any more. */
export const useTurnExecutions = (
  agent: string,
  ids: readonly string[],
): ReadonlyMap<string, ExecutionDetail> => {
  const client = useClient();
  const tenant = useTenant();
  return useQueries({
    queries: ids.map((executionRecord) => ({
      queryKey: [tenant, "executions", agent, executionRecord, "of a turn"],
      staleTime: Number.POSITIVE_INFINITY,
      queryFn: () =>
        nullIfMissing(
          unwrapBody(
            client.GET("/v1/tenants/{tenant}/agents/{agent}/execution-records/{executionRecord}", {
              params: { path: { tenant, agent, executionRecord } },
            }),
          ),
        ),
    })),
    combine: (results) =>
      new Map(results.flatMap(({ data }) => (data ? [[data.id, data] as const] : []))),
  });
};

/** Deletes a session with its messages. */
export const useDeleteSession = (agent: string, session: string) =>
  useAction(
    ["sessions"],
    ({ client, tenant }) =>
      client.DELETE(sessionPath, { params: { path: { tenant, agent, session } } }),
    { removed: ["sessions", agent, session] },
  );

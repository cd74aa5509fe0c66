import { useQuery } from "@tanstack/react-query";
import { unwrapBody, type WharfClient } from "../../../client/client.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";

const approvalsPath = "/v1/tenants/{tenant}/approvals";
const badgeMilliseconds = 30_000;

/** Pages that are read at most for a number: a page may have none of the user's approvals and still have a next one. */
const maxPages = 3;

/** Counts approvals that the user may decide; `isMore` if there may be more. */
const countMine = async (
  client: WharfClient,
  tenant: string,
): Promise<{ count: number; isMore: boolean }> => {
  let [count, skip] = [0, 0];
  for (let page = 0; page < maxPages && count === 0; page += 1) {
    const query = { mayDecide: "true" as const, "PageToken.Skip": skip };
    const { items, nextPageToken } = await unwrapBody(
      client.GET(approvalsPath, { params: { path: { tenant }, query } }),
    );
    count += items.length;
    if (nextPageToken === null) return { count, isMore: false };
    skip = Number(nextPageToken);
  }
  return { count, isMore: true };
};

/** Counts the pending approvals that the user may decide. */
export const useCountMine = () => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "approvals", "count"],
    refetchInterval: badgeMilliseconds,
    queryFn: () => countMine(client, tenant),
  });
};

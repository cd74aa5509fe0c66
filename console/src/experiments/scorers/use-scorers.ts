import { unwrapBody } from "../../../../client/client.ts";
import type { CreateScorerBody, Scorer } from "../../../../client/openapi.ts";
import { useClient } from "../../session/session-context.ts";
import { useTenant } from "../../session/tenant.ts";
import { useAction } from "../../shared/use-action.ts";
import { useList } from "../../shared/use-list.ts";

const scorersPath = "/v1/tenants/{tenant}/scorers";
const scorerPath = `${scorersPath}/{scorer}` as const;

/** Lists the scorers. */
export const useScorers = () => {
  const client = useClient();
  const tenant = useTenant();
  return useList<Scorer>({
    queryKey: [tenant, "scorers"],
    getId: ({ id }) => id,
    read: (query) => unwrapBody(client.GET(scorersPath, { params: { path: { tenant }, query } })),
  });
};

/** Creates a scorer, or changes the one with this id. */
export const useSaveScorer = (scorer?: string) =>
  useAction(
    ["scorers"],
    ({ client, tenant }, body: CreateScorerBody) =>
      scorer === undefined
        ? unwrapBody(client.POST(scorersPath, { params: { path: { tenant } }, body }))
        : unwrapBody(client.PUT(scorerPath, { params: { path: { tenant, scorer } }, body })),
    { done: ({ displayName }) => `Saved ${displayName}.` },
  );

/** Deletes a scorer. */
export const useDeleteScorer = (scorer: string) =>
  useAction(["scorers"], ({ client, tenant }) =>
    client.DELETE(scorerPath, { params: { path: { tenant, scorer } } }),
  );

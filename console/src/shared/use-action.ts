import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { WharfClient } from "../../../client/client.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { readAgain } from "./read-again.ts";

/** The API, and the tenant of the page. */
type ActionContext = { client: WharfClient; tenant: string };

type ActionOptions = {
  /** Key of the cache, after the tenant, of data that no longer exists afterwards. */
  removed?: readonly string[];
  /** Reads again after a refusal too, because others may have changed the data. */
  isReadAfterRefusal?: boolean;
};

/**
 * An action of the API. What has one of the names in its key, after the tenant, is read again afterwards. Input and
 * result may contain secrets, so they are not kept.
 */
export const useAction = <Input = void, Result = unknown>(
  changed: readonly string[],
  run: (context: ActionContext, input: Input) => Promise<Result>,
  { removed, isReadAfterRefusal = false }: ActionOptions = {},
) => {
  const client = useClient();
  const tenant = useTenant();
  const cache = useQueryClient();
  const readChanged = () =>
    readAgain(
      cache,
      changed.map((name) => [tenant, name]),
    );
  return useMutation({
    mutationFn: (input: Input) => run({ client, tenant }, input),
    onSuccess: () => {
      if (removed) cache.removeQueries({ queryKey: [tenant, ...removed] });
      return readChanged();
    },
    onError: () => (isReadAfterRefusal ? readChanged() : undefined),
    gcTime: 0,
  });
};

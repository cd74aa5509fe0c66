import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { WharfClient } from "../../../client/client.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { notifyDone } from "./notify.ts";
import { readAgain } from "./read-again.ts";

/** The API, and the tenant of the page. */
type ActionContext = { client: WharfClient; tenant: string };

type ActionOptions<Input, Result> = {
  /** Message of the toast after a success; no toast by default. */
  done?: string | ((result: Result, input: Input) => string | undefined);
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
  { done, removed, isReadAfterRefusal = false }: ActionOptions<Input, Result> = {},
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
    onSuccess: (result, input) => {
      const message = typeof done === "function" ? done(result, input) : done;
      if (message !== undefined) notifyDone({ message });
      if (removed) cache.removeQueries({ queryKey: [tenant, ...removed] });
      return readChanged();
    },
    onError: () => (isReadAfterRefusal ? readChanged() : undefined),
    gcTime: 0,
  });
};

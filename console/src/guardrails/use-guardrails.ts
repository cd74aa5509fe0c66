import { useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../client/client.ts";
import type {
  CheckGuardrailBody,
  CreateGuardrailBody,
  Guardrail,
  GuardrailRevision,
} from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { useAction } from "../shared/use-action.ts";
import { useList } from "../shared/use-list.ts";

const guardrailsPath = "/v1/tenants/{tenant}/guardrails";
const guardrailPath = `${guardrailsPath}/{guardrail}` as const;
const tenantPath = "/v1/tenants/{tenant}";

/** Lists the guardrails. */
export const useGuardrails = () => {
  const client = useClient();
  const tenant = useTenant();
  return useList<Guardrail>({
    queryKey: [tenant, "guardrails"],
    getId: ({ id }) => id,
    read: (query) =>
      unwrapBody(client.GET(guardrailsPath, { params: { path: { tenant }, query } })),
  });
};

/** Reads a guardrail in its latest revision. */
export const useGuardrail = (guardrail: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "guardrails", guardrail],
    queryFn: () =>
      unwrapBody(client.GET(guardrailPath, { params: { path: { tenant, guardrail } } })),
  });
};

/** Lists the revisions of a guardrail, newest first. */
export const useGuardrailRevisions = (guardrail: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useList<GuardrailRevision>({
    queryKey: [tenant, "guardrails", guardrail, "revisions"],
    getId: ({ revision }) => String(revision),
    read: (query) =>
      unwrapBody(
        client.GET(`${guardrailPath}/revisions`, {
          params: { path: { tenant, guardrail }, query },
        }),
      ),
  });
};

/** Creates a guardrail, or changes the one with this id, which makes a revision. */
export const useSaveGuardrail = (guardrail?: string) =>
  useAction(
    ["guardrails"],
    ({ client, tenant }, { id, ...body }: CreateGuardrailBody) =>
      guardrail === undefined
        ? unwrapBody(
            client.POST(guardrailsPath, { params: { path: { tenant } }, body: { id, ...body } }),
          )
        : unwrapBody(client.PUT(guardrailPath, { params: { path: { tenant, guardrail } }, body })),
    {
      done: ({ revision }) =>
        guardrail === undefined
          ? undefined
          : `Saved revision ${revision}. The next execution uses it.`,
    },
  );

/** Deletes a guardrail with its revisions. */
export const useDeleteGuardrail = (guardrail: string) =>
  useAction(
    ["guardrails"],
    ({ client, tenant }) =>
      client.DELETE(guardrailPath, { params: { path: { tenant, guardrail } } }),
    { removed: ["guardrails", guardrail] },
  );

/** Applies a guardrail to a value; nothing is stored. */
export const useCheckGuardrail = (guardrail: string) =>
  useAction([], ({ client, tenant }, body: CheckGuardrailBody) =>
    unwrapBody(
      client.POST(`${guardrailPath}:check`, { params: { path: { tenant, guardrail } }, body }),
    ),
  );

/** Reads the guardrails of all agents of the tenant; none for a user who may not read the tenant. */
export const useFloor = () => {
  const client = useClient();
  const tenant = useTenant();
  const mayRead = useMay()("organization:read");
  return useQuery({
    queryKey: [tenant, "floor"],
    enabled: mayRead,
    queryFn: async () => {
      const { guardrails } = await unwrapBody(
        client.GET(tenantPath, { params: { path: { tenant } } }),
      );
      return guardrails;
    },
  });
};

/** Replaces the guardrails of all agents of the tenant. */
export const useSaveFloor = () =>
  useAction(
    ["floor"],
    ({ client, tenant }, guardrails: string[]) =>
      unwrapBody(client.PATCH(tenantPath, { params: { path: { tenant } }, body: { guardrails } })),
    { done: "Saved the guardrails of all agents." },
  );

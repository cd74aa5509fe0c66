import { NativeSelect, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { unwrapBody } from "../../../client/client.ts";
import { useMay } from "../session/permissions.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";

const CreateTenantDialog = lazy(() =>
  import("./create-tenant-dialog.tsx").then(({ CreateTenantDialog: component }) => ({
    default: component,
  })),
);

/** Value of the choice that creates a tenant; no slug has a space. */
const newTenant = "new tenant";

/** Shows the tenant, switches to another one, and creates one. */
export const TenantSwitcher = () => {
  const tenant = useTenant();
  const client = useClient();
  const navigate = useNavigate();
  const may = useMay();
  const mayList = may("organization:read");
  const [isCreating, setIsCreating] = useState(false);
  const { data } = useQuery({
    queryKey: ["tenants"],
    enabled: mayList,
    queryFn: () => unwrapBody(client.GET("/v1/tenants")),
  });
  if (!data) return <Text aria-label="Tenant">{tenant}</Text>;
  const current = data.find(({ id, slug }) => id === tenant || slug === tenant)?.slug ?? tenant;
  const open = (slug: string): void =>
    void navigate({ to: "/t/$tenant", params: { tenant: slug } });
  return (
    <>
      <NativeSelect
        aria-label="Tenant"
        w={{ base: 150, xs: 180 }}
        value={current}
        data={[
          ...data.map(({ slug, displayName }) => ({ value: slug, label: displayName })),
          ...(may("organization:write") ? [{ value: newTenant, label: "Create tenant…" }] : []),
        ]}
        onChange={({ currentTarget: { value } }) => {
          if (value === newTenant) setIsCreating(true);
          else open(value);
        }}
      />
      {isCreating && (
        <Suspense>
          <CreateTenantDialog
            onCreated={({ slug }) => {
              setIsCreating(false);
              open(slug);
            }}
            onClose={() => setIsCreating(false)}
          />
        </Suspense>
      )}
    </>
  );
};

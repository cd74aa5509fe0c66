import { Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { unwrapBody } from "../../../client/client.ts";
import { useMay } from "../session/permissions.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";

/** Shows the tenant and switches to another one. */
export const TenantSwitcher = () => {
  const tenant = useTenant();
  const client = useClient();
  const navigate = useNavigate();
  const mayList = useMay()("organization:read");
  const { data } = useQuery({
    queryKey: ["tenants"],
    enabled: mayList,
    queryFn: () => unwrapBody(client.GET("/v1/tenants")),
  });
  if (!data) return <Text aria-label="Tenant">{tenant}</Text>;
  const current = data.find(({ id, slug }) => id === tenant || slug === tenant)?.slug ?? tenant;
  return (
    <Select
      aria-label="Tenant"
      w={180}
      searchable={data.length > 8}
      allowDeselect={false}
      value={current}
      data={data.map(({ slug, displayName }) => ({ value: slug, label: displayName }))}
      onChange={(slug) => {
        if (slug && slug !== current) {
          void navigate({ to: "/t/$tenant", params: { tenant: slug } });
        }
      }}
    />
  );
};

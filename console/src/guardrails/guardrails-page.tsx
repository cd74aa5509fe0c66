import { Anchor, Button } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Guardrail } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { isEmptyList } from "../shared/is-empty-list.ts";
import { Page } from "../shared/page.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { RowMenu } from "../shared/row-menu.tsx";
import { Time } from "../shared/time.tsx";
import { useLoadAll } from "../shared/use-load-all.ts";
import { DeleteGuardrailDialog } from "./delete-guardrail-dialog.tsx";
import { FloorCard } from "./floor-card.tsx";
import { useGuardrails } from "./use-guardrails.ts";

const buildColumns = (tenant: string): Column<Guardrail>[] => [
  {
    header: "Guardrail",
    cell: ({ id, displayName }) => (
      <Anchor component={Link} to={`/t/${tenant}/guardrails/details/${encodeURIComponent(id)}`}>
        {displayName}
      </Anchor>
    ),
  },
  { header: "ID", cell: ({ id }) => id, isSecondary: true },
  {
    header: "Checks",
    isWide: true,
    cell: ({ checks }) => checks.map(({ id }) => id).join(", "),
  },
  { header: "Revision", isNumber: true, isSecondary: true, cell: ({ revision }) => revision },
  { header: "Changed", isSecondary: true, cell: ({ modifiedAt }) => <Time value={modifiedAt} /> },
];

/** Lists and deletes guardrails, and names those of all agents. */
export const GuardrailsPage = () => {
  const tenant = useTenant();
  const navigate = useNavigate();
  const may = useMay();
  const mayWrite = may("agents:write");
  const list = useLoadAll(useGuardrails());
  const [deleted, setDeleted] = useState<Guardrail>();
  const create = mayWrite && (
    <Button onClick={() => void navigate({ to: "/t/$tenant/guardrails/new", params: { tenant } })}>
      Create guardrail
    </Button>
  );
  return (
    <Page
      title="Guardrails"
      description="Checks on what executions receive and return. A revision lists the guardrails of its agent."
      actions={!isEmptyList(list) && create}
    >
      {may("organization:read") && <FloorCard guardrails={list.items} />}
      <ResourceTable
        label="Guardrails"
        list={list}
        getId={({ id }) => id}
        columns={buildColumns(tenant)}
        actions={
          mayWrite
            ? (guardrail) => (
                <RowMenu
                  name={guardrail.displayName}
                  actions={[
                    { label: "Delete", onClick: () => setDeleted(guardrail), isDangerous: true },
                  ]}
                />
              )
            : undefined
        }
        empty={
          <EmptyState title="No guardrails yet" docs="guardrails" action={create}>
            Create a guardrail, try it with a value, then add it to the revision of an agent.
          </EmptyState>
        }
      />
      {deleted && (
        <DeleteGuardrailDialog guardrail={deleted} onClose={() => setDeleted(undefined)} />
      )}
    </Page>
  );
};

import { Button } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { AgentSelect } from "../agent-queries/agent-select.tsx";
import { useMay } from "../session/permissions.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { Page } from "../shared/page.tsx";
import type { OpenConnectorDialog } from "./connector-dialog.tsx";
import { ConnectorList } from "./connector-list.tsx";

const route = getRouteApi("/t/$tenant/connectors");

/** Lists, creates, tests, changes and deletes connectors. */
export const ConnectorsPage = () => {
  const { agent } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  const [open, setOpen] = useState<OpenConnectorDialog>();
  const create = may("connectors:write") && (
    <Button onClick={() => setOpen({ type: "create" })}>Create connector</Button>
  );
  return (
    <Page title="Connectors" description="Chats in which users talk to agents." actions={create}>
      <AgentSelect
        label="Agent"
        maw={360}
        none="All agents"
        agent={agent}
        onChange={(value) =>
          void navigate({ search: value === undefined ? {} : { agent: value }, replace: true })
        }
      />
      <ConnectorList
        agent={agent}
        open={open}
        onOpen={setOpen}
        empty={
          <EmptyState title="No connectors yet" docs="connectors">
            Deploy an agent, create a connector to a chat, and enter its address at the provider.
          </EmptyState>
        }
      />
    </Page>
  );
};

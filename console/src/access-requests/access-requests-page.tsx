import { Button, Group, NativeSelect, Stack } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import type { ChatUserAccessRequest } from "../../../client/openapi.ts";
import { AgentSelect } from "../agent-queries/agent-select.tsx";
import { useMayAt } from "../agent-queries/use-may-at.ts";
import { useMay } from "../session/permissions.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { Filters } from "../shared/filters.tsx";
import { Page } from "../shared/page.tsx";
import { ResourceTable } from "../shared/resource-table.tsx";
import { DecideDialog } from "./decide-dialog.tsx";
import { buildColumns } from "./request-columns.tsx";
import { type ShownStatus, shownStatuses } from "./shown-status.ts";
import { useAccessRequests } from "./use-access-requests.ts";

type Open = { decision: "approve" | "reject"; request: ChatUserAccessRequest } | undefined;

const route = getRouteApi("/t/$tenant/access-requests");

/** Lists the requests of chat users for access, and decides pending ones. */
export const AccessRequestsPage = () => {
  const { agent, status = "Pending" } = route.useSearch();
  const navigate = route.useNavigate();
  const mayDecide = useMay()("chat_users:write");
  const list = useAccessRequests(agent, status);
  const [open, setOpen] = useState<Open>();
  const show = (shown: { agent: string | undefined; status: ShownStatus }): void =>
    void navigate({
      search: {
        ...(shown.agent !== undefined && { agent: shown.agent }),
        ...(shown.status !== "Pending" && { status: shown.status }),
      },
      replace: true,
    });
  const mayBePending = status === "Pending" || status === "All";
  return (
    <Page
      title="Access requests"
      description="Users who wrote to an agent and wait for approval. New requests appear automatically."
    >
      {/* Nothing behind an open dialog can be reached. */}
      <Stack inert={open !== undefined} aria-hidden={open !== undefined}>
        <Filters>
          <AgentSelect
            label="Agent"
            maw={360}
            none="All agents"
            agent={agent}
            onChange={(value) => show({ agent: value, status })}
          />
          <NativeSelect
            label="Status"
            value={status}
            data={[...shownStatuses]}
            onChange={({ currentTarget: { value } }) =>
              show({ agent, status: shownStatuses.find((shown) => shown === value) ?? "Pending" })
            }
          />
        </Filters>
        <ResourceTable
          label="Access requests"
          list={list}
          getId={({ id }) => id}
          columns={buildColumns(status)}
          actions={
            mayDecide && mayBePending
              ? (request) => <DecideButtons request={request} onOpen={setOpen} />
              : undefined
          }
          empty={<NoRequests status={status} />}
        />
      </Stack>
      {open && <DecideDialog {...open} onClose={() => setOpen(undefined)} />}
    </Page>
  );
};

type DecideButtonsProps = {
  request: ChatUserAccessRequest;
  onOpen: (open: Open) => void;
};

const DecideButtons = ({ request, onOpen }: DecideButtonsProps) => {
  const mayDecide = useMayAt(request.agentId)("chat_users:write");
  if (!mayDecide || request.status !== "Pending") return null;
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      <Button size="compact-sm" onClick={() => onOpen({ decision: "approve", request })}>
        Approve
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => onOpen({ decision: "reject", request })}
      >
        Reject
      </Button>
    </Group>
  );
};

const NoRequests = ({ status }: { status: ShownStatus }) =>
  status === "Pending" ? (
    <EmptyState title="No pending requests">
      Give a connector the policy RequireApproval: users who write to its agent for the first time
      appear here.
    </EmptyState>
  ) : (
    <EmptyState title="No access requests">
      {status === "All"
        ? "No access requests yet."
        : `No request is ${status.toLowerCase()}. Choose another status.`}
    </EmptyState>
  );

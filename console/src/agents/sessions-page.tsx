import { Anchor, Button, Code, Group, Stack, Text, TextInput } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import type { Session } from "../../../client/openapi.ts";
import { useSessions } from "../conversations/use-sessions.ts";
import { useMay } from "../session/permissions.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { formatCount } from "../shared/format.ts";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { SessionAnchor } from "../shared/session-anchor.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { Time } from "../shared/time.tsx";

const route = getRouteApi("/t/$tenant/agents/$agent/sessions");

const columns: Column<Session>[] = [
  {
    header: "Session",
    cell: ({ id, agentId }) => (
      <SessionAnchor agent={agentId} session={id}>
        {id}
      </SessionAnchor>
    ),
  },
  {
    header: "Status",
    cell: ({ status }) => (
      <StatusBadge status={status} kind={status === "Busy" ? "busy" : "idle"} />
    ),
  },
  { header: "End user", cell: ({ endUserId }) => endUserId },
  { header: "Turns", isNumber: true, cell: ({ turnCount }) => formatCount(turnCount) },
  { header: "Last activity", cell: ({ modifiedAt }) => <Time value={modifiedAt} /> },
  { header: "Created", isSecondary: true, cell: ({ createdAt }) => <Time value={createdAt} /> },
];

/** Lists the sessions of an agent, by end user if one is given. */
export const SessionsPage = () => {
  const { agent } = route.useParams();
  const { endUserId } = route.useSearch();
  const list = useSessions(agent, endUserId);
  return (
    <Stack>
      <Text c="dimmed">Conversations with the agent, including chats. Updates live.</Text>
      <EndUserFilter key={endUserId ?? ""} endUserId={endUserId} />
      <ResourceTable
        label="Sessions"
        list={list}
        getId={({ id }) => id}
        columns={columns}
        empty={endUserId === undefined ? <NoSessions /> : <NoneOfUser endUserId={endUserId} />}
      />
    </Stack>
  );
};

const EndUserFilter = ({ endUserId }: { endUserId: string | undefined }) => {
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState(endUserId ?? "");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void navigate({ search: typed === "" ? {} : { endUserId: typed } });
  };
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm">
        <TextInput
          label="End user"
          flex="0 1 320px"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Filter
        </Button>
      </Group>
    </form>
  );
};

const NoneOfUser = ({ endUserId }: { endUserId: string }) => (
  <EmptyState title="No sessions">No sessions of the end user “{endUserId}”.</EmptyState>
);

const NoSessions = () => {
  const { tenant, agent } = route.useParams();
  const mayOpen = useMay()("revisions:read");
  return (
    <EmptyState
      title="No sessions yet"
      action={
        mayOpen && (
          <Anchor component={Link} to={`/t/${tenant}/agents/${encodeURIComponent(agent)}/flow`}>
            Open flow
          </Anchor>
        )
      }
    >
      Save and deploy a revision that remembers the conversation of a session (
      <Code>useSession</Code>). Then talk to the agent in “Try it” or in a chat, or send{" "}
      <Code>session</Code> to <Code>:execute</Code>.
    </EmptyState>
  );
};

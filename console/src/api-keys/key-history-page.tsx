import { Code, List, Stack, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { AuditEvent } from "../../../client/openapi.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { Page } from "../shared/page.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { Time } from "../shared/time.tsx";
import { useApiKeys, useKeyHistory } from "./use-api-keys.ts";

const route = getRouteApi("/t/$tenant/api-keys/$apiKey/history");

const labels: Readonly<Record<AuditEvent["type"], string>> = {
  Issued: "Issued",
  Rotated: "Rotated",
  ScopesChanged: "Scopes changed",
  Updated: "Updated",
  Revoked: "Revoked",
};

const minus = (some: readonly string[] | null, others: readonly string[] | null): string[] =>
  some?.filter((scope) => !others?.includes(scope)) ?? [];

/** Lists what an event changed. */
const Changes = ({ event }: { event: AuditEvent }) => {
  const { previousScopes, newScopes, previousExpiresAt, newExpiresAt } = event;
  const [added, removed] = [minus(newScopes, previousScopes), minus(previousScopes, newScopes)];
  const hasNewExpiry = previousExpiresAt !== newExpiresAt;
  if (added.length + removed.length === 0 && !hasNewExpiry) return null;
  return (
    <List size="sm" listStyleType="none">
      {added.length > 0 && <List.Item>Added {added.join(", ")}</List.Item>}
      {event.type !== "Revoked" && removed.length > 0 && (
        <List.Item>Removed {removed.join(", ")}</List.Item>
      )}
      {hasNewExpiry && (
        <List.Item>
          Expires <Time value={newExpiresAt} isExact />
          {event.type !== "Issued" && (
            <>
              {" "}
              (before: <Time value={previousExpiresAt} isExact />)
            </>
          )}
        </List.Item>
      )}
    </List>
  );
};

const columns: readonly Column<AuditEvent>[] = [
  { header: "Event", cell: ({ type }) => labels[type] },
  { header: "Time", isWide: true, cell: ({ createdAt }) => <Time value={createdAt} isExact /> },
  { header: "By", cell: ({ actor: { email, id } }) => email ?? id },
  {
    header: "Changes",
    cell: (event) => <Changes event={event} />,
    isSecondary: true,
    isWide: true,
  },
  {
    header: "Request",
    isSecondary: true,
    isWide: true,
    cell: ({ requestContext: { method, path, requestId, sourceIp } }) => (
      <Stack gap={2}>
        <Code>{`${method} ${path}`}</Code>
        <Text size="xs" c="dimmed">
          from {sourceIp}, request {requestId}
        </Text>
      </Stack>
    ),
  },
];

/** Shows who changed a key, and how. */
export const KeyHistoryPage = () => {
  const { tenant, apiKey } = route.useParams();
  const list = useKeyHistory(apiKey);
  const name = useApiKeys(true).items.find(({ id }) => id === apiKey)?.name;
  return (
    <Page
      title={name === undefined ? "History" : `History of ${name}`}
      back={`/t/${tenant}/api-keys`}
    >
      <ResourceTable
        label="Events"
        list={list}
        getId={({ id }) => id}
        columns={columns}
        empty={<EmptyState title="No events">This key has no history.</EmptyState>}
      />
    </Page>
  );
};

import { Text } from "@mantine/core";
import type { ChatUserAccessRequest } from "../../../client/openapi.ts";
import { chatProviderLabel } from "../connectors/providers.ts";
import type { Column } from "../shared/resource-table.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { Time } from "../shared/time.tsx";
import { requestKinds, type ShownStatus } from "./shown-status.ts";

const requested: readonly Column<ChatUserAccessRequest>[] = [
  {
    header: "Chat user",
    cell: ({ userName, identifier }) => (
      <>
        {userName ?? identifier}
        {userName !== null && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {identifier}
          </Text>
        )}
      </>
    ),
  },
  { header: "Agent", cell: ({ agentId }) => agentId },
  { header: "Provider", isSecondary: true, cell: ({ provider }) => chatProviderLabel(provider) },
  {
    header: "Conversation",
    isSecondary: true,
    cell: ({ conversationName }) => conversationName ?? "",
  },
  { header: "Requested", isSecondary: true, cell: ({ createdAt }) => <Time value={createdAt} /> },
];

const decided: readonly Column<ChatUserAccessRequest>[] = [
  {
    header: "Status",
    cell: ({ status }) => <StatusBadge status={status} kind={requestKinds[status]} />,
  },
  {
    header: "Decided",
    isSecondary: true,
    cell: ({ processedAt, processedBy }) =>
      processedAt !== null && (
        <>
          <Time value={processedAt} />
          {processedBy !== null && ` by ${processedBy}`}
        </>
      ),
  },
  { header: "Note", isSecondary: true, cell: ({ processingNote }) => processingNote ?? "" },
];

/** Returns the columns of the requests: those of pending ones do not show a decision. */
export const buildColumns = (status: ShownStatus): readonly Column<ChatUserAccessRequest>[] =>
  status === "Pending" ? requested : [...requested, ...decided];

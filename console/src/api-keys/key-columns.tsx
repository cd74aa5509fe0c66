import { Box, Code, Tooltip } from "@mantine/core";
import type { ApiKey } from "../../../client/openapi.ts";
import type { Column } from "../shared/resource-table.tsx";
import { StatusBadge, type StatusKind } from "../shared/status-badge.tsx";
import { Time } from "../shared/time.tsx";

const kinds: Readonly<Record<ApiKey["status"], StatusKind>> = {
  Active: "good",
  Expired: "bad",
  Revoked: "idle",
};

/** Returns the columns of the keys; a creator that is one of `keys` is shown by its name. */
export const keyColumns = (keys: readonly ApiKey[]): Column<ApiKey>[] => [
  { header: "Name", cell: ({ name }) => <Box miw="9rem">{name}</Box> },
  {
    header: "Key",
    cell: ({ prefix, last4 }) => <Code style={noWrap}>{`${prefix}_…${last4}`}</Code>,
  },
  {
    header: "Scopes",
    isSecondary: true,
    cell: ({ scopes }) => (
      <Tooltip multiline maw={360} label={scopes.join(", ")} events={tooltipEvents}>
        <span>{scopes.length === 1 ? scopes[0] : `${scopes.length} scopes`}</span>
      </Tooltip>
    ),
  },
  {
    header: "Created by",
    isSecondary: true,
    isWide: true,
    cell: ({ createdBy: { type, id } }) =>
      type === "User" ? id : (keys.find((key) => key.id === id)?.name ?? `API key ${id}`),
  },
  {
    header: "Created",
    isSecondary: true,
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
  { header: "Last used", isSecondary: true, cell: ({ lastUsedAt }) => <Time value={lastUsedAt} /> },
  { header: "Expires", isSecondary: true, cell: ({ expiresAt }) => <Time value={expiresAt} /> },
  { header: "Status", cell: ({ status }) => <StatusBadge status={status} kind={kinds[status]} /> },
];

const noWrap = { whiteSpace: "nowrap" } as const;
const tooltipEvents = { hover: true, focus: true, touch: true };

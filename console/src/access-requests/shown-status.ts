import type { ChatUserAccessRequestStatus } from "../../../client/openapi.ts";
import type { StatusKind } from "../shared/status-badge.tsx";

/** A status to filter by. */
export type ShownStatus = ChatUserAccessRequestStatus | "All";

/** Statuses to filter by. */
export const shownStatuses: readonly ShownStatus[] = ["Pending", "Approved", "Rejected", "All"];

/** Kinds of the statuses of access requests. */
export const requestKinds: Readonly<Record<ChatUserAccessRequestStatus, StatusKind>> = {
  Pending: "busy",
  Approved: "good",
  Rejected: "bad",
};

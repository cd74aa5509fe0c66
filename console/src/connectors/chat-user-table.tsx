import { useState } from "react";
import type { ChatUser } from "../../../client/openapi.ts";
import { useMayAt } from "../agent-queries/use-may-at.ts";
import { DeleteDialog } from "../shared/delete-dialog.tsx";
import { EmptyState } from "../shared/empty-state.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { RowMenu } from "../shared/row-menu.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { Time } from "../shared/time.tsx";
import { useLoadAll } from "../shared/use-load-all.ts";
import { useChatUsers, useDeleteChatUser } from "./use-chat-users.ts";

const columns: readonly Column<ChatUser>[] = [
  { header: "Name", cell: ({ userName, identifier }) => userName ?? identifier },
  { header: "ID at the provider", isSecondary: true, cell: ({ identifier }) => identifier },
  {
    header: "Status",
    cell: ({ status }) => (
      <StatusBadge status={status} kind={status === "Active" ? "good" : "busy"} />
    ),
  },
  { header: "Since", isSecondary: true, cell: ({ createdAt }) => <Time value={createdAt} /> },
];

/** Lists and deletes the chat users of a connector. The API lists those of the agent, by connector. */
export const ChatUserTable = ({ agent, connector }: { agent: string; connector: string }) => {
  const mayWrite = useMayAt(agent)("chat_users:write");
  const list = useLoadAll(useChatUsers(agent));
  const [deleted, setDeleted] = useState<ChatUser>();
  const menu = (user: ChatUser) => (
    <RowMenu
      name={user.userName ?? user.identifier}
      actions={[{ label: "Delete", onClick: () => setDeleted(user), isDangerous: true }]}
    />
  );
  return (
    <>
      <ResourceTable
        label="Chat users"
        list={{ ...list, items: list.items.filter((user) => user.connectorId === connector) }}
        getId={({ id }) => id}
        columns={columns}
        actions={mayWrite ? menu : undefined}
        empty={
          <EmptyState title="No chat users yet">
            Enter the address with a key at the provider, and write to the agent there.
          </EmptyState>
        }
      />
      {deleted && <DeleteChatUserDialog user={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
};

const DeleteChatUserDialog = ({ user, onClose }: { user: ChatUser; onClose: () => void }) => {
  const { mutateAsync } = useDeleteChatUser(user);
  return (
    <DeleteDialog
      name={user.userName ?? user.identifier}
      onDelete={() => mutateAsync()}
      onClose={onClose}
    >
      What the user said is deleted too: sessions, turns of group conversations and memories. So is
      the pending access request. The user may request access again.
    </DeleteDialog>
  );
};

import { Button, Checkbox } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { ApiKey, IssuedApiKey } from "../../../client/openapi.ts";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { Page } from "../shared/page.tsx";
import { ResourceTable } from "../shared/resource-table.tsx";
import { type RowAction, RowMenu } from "../shared/row-menu.tsx";
import { IssuedKeyDialog } from "./issued-key-dialog.tsx";
import { keyColumns } from "./key-columns.tsx";
import { CreateKeyDialog, EditKeyDialog } from "./key-form-dialog.tsx";
import { RevokeKeyDialog } from "./revoke-key-dialog.tsx";
import { RotateKeyDialog } from "./rotate-key-dialog.tsx";
import { useApiKeys } from "./use-api-keys.ts";

/** The dialog that is open. */
type Open =
  | { type: "create" }
  | { type: "edit" | "rotate" | "revoke"; apiKey: ApiKey }
  | { type: "issued"; issued: IssuedApiKey; wasRotated: boolean };

const route = getRouteApi("/t/$tenant/api-keys");

/** Lists, creates, changes, rotates and revokes API keys. */
export const ApiKeysPage = () => {
  const tenant = useTenant();
  const mayWrite = useMay()("keys:write");
  const { revoked = false } = route.useSearch();
  const navigate = useNavigate();
  const list = useApiKeys(revoked);
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);

  const buildActions = (apiKey: ApiKey): RowAction[] => {
    const on = (type: "edit" | "rotate" | "revoke") => () => setOpen({ type, apiKey });
    const history = () =>
      void navigate({
        to: "/t/$tenant/api-keys/$apiKey/history",
        params: { tenant, apiKey: apiKey.id },
      });
    const isOver = apiKey.status === "Revoked" || !mayWrite;
    return [
      ...(isOver ? [] : [{ label: "Edit", onClick: on("edit") }]),
      ...(isOver ? [] : [{ label: "Rotate", onClick: on("rotate") }]),
      { label: "History", onClick: history },
      ...(isOver ? [] : [{ label: "Revoke", onClick: on("revoke"), isDangerous: true }]),
    ];
  };
  const createButton = mayWrite && (
    <Button onClick={() => setOpen({ type: "create" })}>Create API key</Button>
  );
  return (
    <Page
      title="API keys"
      description="Keys of your organization for programs that call the API."
      actions={createButton}
    >
      <Checkbox
        label="Show revoked"
        checked={revoked}
        onChange={({ currentTarget }) =>
          void navigate({
            to: "/t/$tenant/api-keys",
            params: { tenant },
            search: currentTarget.checked ? { revoked: true } : {},
            replace: true,
          })
        }
      />
      <ResourceTable
        label="Keys"
        list={list}
        getId={({ id }) => id}
        columns={keyColumns(list.items)}
        actions={(apiKey) => <RowMenu name={apiKey.name} actions={buildActions(apiKey)} />}
        empty={
          <EmptyState title="No keys yet">
            Create a key with the scopes that your program needs. Its secret is shown once.
          </EmptyState>
        }
      />
      <KeyDialog open={open} onOpen={setOpen} onClose={close} />
    </Page>
  );
};

type KeyDialogProps = {
  open: Open | undefined;
  onOpen: (open: Open) => void;
  onClose: () => void;
};

const KeyDialog = ({ open, onOpen, onClose }: KeyDialogProps) => {
  const show = (wasRotated: boolean) => (issued: IssuedApiKey) =>
    onOpen({ type: "issued", issued, wasRotated });
  switch (open?.type) {
    case "create":
      return <CreateKeyDialog onCreated={show(false)} onClose={onClose} />;
    case "rotate":
      return <RotateKeyDialog apiKey={open.apiKey} onRotated={show(true)} onClose={onClose} />;
    case "issued":
      return (
        <IssuedKeyDialog issued={open.issued} wasRotated={open.wasRotated} onClose={onClose} />
      );
    case "edit":
      return <EditKeyDialog apiKey={open.apiKey} onClose={onClose} />;
    case "revoke":
      return <RevokeKeyDialog apiKey={open.apiKey} onClose={onClose} />;
    default:
      return null;
  }
};

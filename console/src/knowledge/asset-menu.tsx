import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Asset } from "../../../client/openapi.ts";
import { useTenant } from "../session/tenant.ts";
import { type RowAction, RowMenu } from "../shared/row-menu.tsx";
import { DeleteAssetDialog } from "./delete-asset-dialog.tsx";
import { EditAssetDialog } from "./edit-asset-dialog.tsx";

type AssetMenuProps = {
  asset: Asset;
  /** Called when the asset is deleted, before the dialog closes. */
  onDeleted?: () => void;
};

/** The actions of an asset, with their dialogs. */
export const AssetMenu = ({ asset, onDeleted }: AssetMenuProps) => {
  const tenant = useTenant();
  const navigate = useNavigate();
  const [open, setOpen] = useState<"edit" | "delete">();
  const close = (): void => setOpen(undefined);
  const addSource = (): void =>
    void navigate({
      to: "/t/$tenant/knowledge/new",
      params: { tenant },
      search: { id: asset.id },
    });
  const first: RowAction =
    asset.type === null
      ? { label: "Add a source", onClick: addSource }
      : { label: "Edit", onClick: () => setOpen("edit") };
  return (
    <>
      <RowMenu
        name={asset.displayName || asset.id}
        actions={[first, { label: "Delete", onClick: () => setOpen("delete"), isDangerous: true }]}
      />
      {open === "edit" && <EditAssetDialog asset={asset} onClose={close} />}
      {open === "delete" && (
        <DeleteAssetDialog asset={asset} onDeleted={onDeleted} onClose={close} />
      )}
    </>
  );
};

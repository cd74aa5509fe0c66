import { useState } from "react";
import type { Asset, SourceType } from "../../../client/openapi.ts";
import { useSourceTypes, useUpdateAsset } from "../asset-queries/use-assets.ts";
import { FormDialog } from "../shared/form-dialog.tsx";
import { AssetFields } from "./asset-fields.tsx";
import { assetPointers, toAssetForm, toUpdateBody } from "./asset-form.ts";
import { uploadType } from "./source-types.ts";

type EditAssetDialogProps = { asset: Asset; onClose: () => void };

/** Changes the name, parameters, refresh and embedding model of an asset. */
export const EditAssetDialog = ({ asset, onClose }: EditAssetDialogProps) => {
  const { data: types } = useSourceTypes();
  const type = types && [uploadType, ...types].find(({ key }) => key === asset.type);
  return type && <EditAssetForm asset={asset} type={type} onClose={onClose} />;
};

const EditAssetForm = ({ asset, type, onClose }: EditAssetDialogProps & { type: SourceType }) => {
  const [form, setForm] = useState(toAssetForm(asset));
  const { mutate, error, isPending } = useUpdateAsset(asset.id);
  return (
    <FormDialog
      title={`Edit ${asset.displayName || asset.id}`}
      action="Save"
      size="lg"
      error={error}
      shownAt={assetPointers(type)}
      isPending={isPending}
      onSubmit={() => mutate(toUpdateBody(type, form), { onSuccess: onClose })}
      onClose={onClose}
    >
      <AssetFields type={type} form={form} onChange={setForm} error={error} isNew={false} />
    </FormDialog>
  );
};

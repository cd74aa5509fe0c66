import { MultiSelect } from "@mantine/core";
import type { Asset } from "../../../../../client/openapi.ts";
import { useAssets } from "../../../asset-queries/use-assets.ts";
import { type Draft, listAssets, setAssets } from "../../../flow-graph/edit-flow.ts";
import type { Members } from "../../../flow-graph/members.ts";
import { useLoadAll } from "../../../shared/use-load-all.ts";
import { unmounted } from "./text-fields.tsx";

type RevisionAssetsProps = {
  draft: Draft;
  onChange: (draft: Draft) => void;
  error: string | undefined;
};

/** Chooses the assets of the tenant that the steps of the revision may search. */
export const RevisionAssets = ({ draft, onChange, error }: RevisionAssetsProps) => {
  const assets = useLoadAll(useAssets()).items;
  const named = listAssets(draft);
  const names = new Map([
    ...assets.map((asset): [string, string] => [asset.id, formatLabel(asset)]),
    ...named.map(({ id, displayName }): [string, string] => [id, displayName]),
  ]);
  return (
    <MultiSelect
      comboboxProps={unmounted}
      label="Assets"
      description="Assets that Retrieve and Prompt steps may search."
      searchable
      nothingFoundMessage="No asset has this name"
      value={named.map(({ id }) => id)}
      data={[...names].map(([value, label]) => ({ value, label }))}
      onChange={(ids) => onChange(setAssets(draft, ids, assets.map(toRevisionAsset)))}
      error={error}
    />
  );
};

const formatLabel = ({ id, displayName, type }: Asset): string =>
  `${displayName || id}${type === null ? " (without a source)" : ""}`;

/** Returns the entry of the revision's `assets` that names an asset. */
const toRevisionAsset = (asset: Asset): Members & { id: string } => {
  const { id, displayName, contentType, assetType, vectorized, link } = asset;
  return { id, displayName, contentType, assetType, vectorized, link };
};

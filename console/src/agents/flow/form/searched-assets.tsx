import { MultiSelect } from "@mantine/core";
import { type Draft, listAssets } from "../../../flow-graph/edit-flow.ts";
import { textsIn } from "../../../flow-graph/members.ts";
import type { StepForm } from "./step-form.ts";
import { unmounted } from "./text-fields.tsx";

type SearchedAssetsProps = { form: StepForm; draft: Draft; description: string };

/** Chooses the assets that a step searches, among those of the revision. */
export const SearchedAssets = ({ form, draft, description }: SearchedAssetsProps) => {
  const chosen = [...new Set(textsIn(form.step.assets))];
  const named = listAssets(draft);
  const names = new Map([
    ...chosen.map((id): [string, string] => [id, id]),
    ...named.map(({ id, displayName }): [string, string] => [id, displayName]),
  ]);
  return (
    <MultiSelect
      comboboxProps={unmounted}
      label="Assets"
      description={
        named.length > 0 ? description : "The revision has no assets. Open Settings to add assets."
      }
      searchable
      nothingFoundMessage="No asset of the revision has this name"
      value={chosen}
      data={[...names].map(([value, label]) => ({ value, label }))}
      onChange={(ids) => form.set("assets", ids.length === 0 ? undefined : ids)}
      error={form.errorAt("/assets")}
    />
  );
};

import type {
  Asset,
  CreateAssetBody,
  SourceType,
  UpdateAssetBody,
} from "../../../client/openapi.ts";
import type { FormTexts } from "../shared/form-from-schema.tsx";

type Refresh = NonNullable<Asset["refresh"]>;

/** Intervals of automatic synchronization; empty for none. */
export const refreshes: readonly { value: Refresh | ""; label: string }[] = [
  { value: "", label: "Manual" },
  { value: "hourly", label: "Hourly" },
  { value: "daily", label: "Daily" },
  { value: "weekly", label: "Weekly" },
];

/** The values of an asset's form. */
export type AssetForm = {
  displayName: string;
  id: string;
  parameters: FormTexts;
  refresh: Refresh | "";
  providerId: string;
  model: string;
};

export const emptyAssetForm: AssetForm = {
  displayName: "",
  id: "",
  parameters: {},
  refresh: "",
  providerId: "echo",
  model: "echo-1",
};

/** Returns the pointers that the fields of a type show. */
export const assetPointers = ({ parameters }: SourceType): string[] => [
  ...["/type", "/displayName", "/id", "/refresh", "/embedding"],
  ...parameters.map(({ name }) => `/parameters/${name}`),
];

/** Converts an asset to the values of the form; credentials stay masked, which keeps them. */
export const toAssetForm = (asset: Asset): AssetForm => ({
  displayName: asset.displayName ?? "",
  id: asset.id,
  parameters: asset.parameters ?? {},
  refresh: asset.refresh ?? "",
  providerId: asset.embedding?.providerId ?? emptyAssetForm.providerId,
  model: asset.embedding?.model ?? emptyAssetForm.model,
});

/** Returns the parameters of a type that were filled in; the form may have those of another one, too. */
export const filledParameters = (type: SourceType, texts: FormTexts): Record<string, string> =>
  Object.fromEntries(
    type.parameters.flatMap(({ name }) => {
      const text = texts[name] ?? "";
      return text === "" ? [] : [[name, text]];
    }),
  );

/** Converts the values of the form to the body that creates an asset. */
export const toCreateBody = (type: SourceType, form: AssetForm): CreateAssetBody => ({
  ...(form.id !== "" && { id: form.id }),
  displayName: form.displayName,
  type: type.key,
  parameters: filledParameters(type, form.parameters),
  refresh: form.refresh || null,
  embedding: { providerId: form.providerId, model: form.model },
});

/** Converts the values of the form to the body that changes an asset. */
export const toUpdateBody = (type: SourceType, form: AssetForm): UpdateAssetBody => ({
  displayName: form.displayName,
  parameters: filledParameters(type, form.parameters),
  refresh: form.refresh || null,
  embedding: { providerId: form.providerId, model: form.model },
});

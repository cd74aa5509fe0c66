import { Autocomplete } from "@mantine/core";
import { useModels } from "./use-models.ts";

type ModelFieldProps = {
  label: string;
  description?: string;
  placeholder?: string | undefined;
  /** The provider with the offered models; undefined for none. */
  providerId: string | undefined;
  value: string;
  onChange: (model: string) => void;
  error?: string | undefined;
};

const maxOffered = 50;

/** A model's name: one of those that the provider lists, or any other text. */
export const ModelField = ({ providerId, ...field }: ModelFieldProps) => (
  <Autocomplete data={useModels(providerId)} limit={maxOffered} {...field} />
);

import { Autocomplete, Group, Text } from "@mantine/core";
import { formatPrices } from "./format-prices.ts";
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

/** A model's name: one of those that the provider lists, with their prices, or any other text. */
export const ModelField = (props: ModelFieldProps) => {
  const { providerId, description, ...field } = props;
  const models = useModels(providerId);
  const byId = new Map(models.map((model) => [model.id, model]));
  const chosen = byId.get(props.value || (props.placeholder ?? ""));
  const price = chosen && formatPrices(chosen);
  const shown = [description, price].filter(Boolean).join(" · ");
  return (
    <Autocomplete
      data={[...byId.keys()]}
      limit={maxOffered}
      renderOption={({ option }) => {
        const model = byId.get(option.value);
        return (
          <Group justify="space-between" gap="sm" w="100%">
            <div>
              <Text size="sm">{option.value}</Text>
              {model?.displayName !== undefined && model.displayName !== option.value && (
                <Text size="xs" c="inherit">
                  {model.displayName}
                </Text>
              )}
            </div>
            {model && (
              <Text size="xs" c="inherit">
                {formatPrices(model)}
              </Text>
            )}
          </Group>
        );
      }}
      {...field}
      {...(shown !== "" && { description: shown })}
    />
  );
};

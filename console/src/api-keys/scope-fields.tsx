import { Checkbox, Fieldset, Input, NativeSelect, SimpleGrid, Stack } from "@mantine/core";
import { useScopeCatalog, useScopes } from "../session/permissions.ts";

type ScopeFieldsProps = {
  scopes: readonly string[];
  onChange: (scopes: string[]) => void;
  error: string | undefined;
  /** Whether a preset can be chosen. */
  hasPresets?: boolean;
};

const isSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((scope) => others.includes(scope));

/** The scopes of a key: a preset, or a checkbox per scope that the user has. */
export const ScopeFields = ({ scopes, onChange, error, hasPresets = true }: ScopeFieldsProps) => {
  const catalog = useScopeCatalog().data;
  const own = useScopes();
  const offered = catalog?.scopes.filter(({ scope }) => own.includes(scope)) ?? [];
  const presets =
    catalog?.presets.filter((preset) => preset.scopes.every((scope) => own.includes(scope))) ?? [];
  const preset = presets.find((candidate) => isSame(candidate.scopes, scopes))?.name ?? "";
  const toggle = (scope: string): void =>
    onChange(
      scopes.includes(scope) ? scopes.filter((other) => other !== scope) : [...scopes, scope],
    );
  const resources = [...new Set(offered.map(({ resource }) => resource))];
  return (
    <Stack gap="sm">
      {hasPresets && (
        <NativeSelect
          label="Preset"
          description="Selects the scopes below."
          value={preset}
          data={[
            { value: "", label: "Single scopes" },
            ...presets.map(({ name }) => ({ value: name, label: name })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            onChange(presets.find(({ name }) => name === value)?.scopes ?? [])
          }
        />
      )}
      <Fieldset legend="Scopes" p="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="sm">
          {resources.map((resource) => (
            <Stack key={resource} gap={6}>
              {offered
                .filter((entry) => entry.resource === resource)
                .map(({ scope, description }) => (
                  <Checkbox
                    key={scope}
                    label={scope}
                    description={description}
                    checked={scopes.includes(scope)}
                    onChange={() => toggle(scope)}
                  />
                ))}
            </Stack>
          ))}
        </SimpleGrid>
        {error !== undefined && <Input.Error mt="xs">{error}</Input.Error>}
      </Fieldset>
    </Stack>
  );
};

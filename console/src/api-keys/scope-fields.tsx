import { Checkbox, Fieldset, Input, NativeSelect, SimpleGrid, Stack } from "@mantine/core";
import { useState } from "react";
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

const custom = "custom";

const uses: Readonly<Record<string, string>> = {
  Runner: "Runs agents, and reads the executions that it started.",
  Builder: "Builds, tests, deploys and runs agents.",
  "Read-only": "Reads everything, and changes nothing.",
  Admin: "Does everything, also with API keys.",
};

const presetHint = (preset: string | undefined, scopes: number): string => {
  if (preset === undefined) return "What programs with the key may do.";
  if (preset === custom) return "Select single scopes below.";
  return `${uses[preset] ?? ""} ${scopes} scopes.`.trim();
};

/** The scopes of a key: a preset, or a checkbox per scope that the user has. */
export const ScopeFields = ({ scopes, onChange, error, hasPresets = true }: ScopeFieldsProps) => {
  const catalog = useScopeCatalog().data;
  const own = useScopes();
  const offered = catalog?.scopes.filter(({ scope }) => own.includes(scope)) ?? [];
  const presets =
    catalog?.presets.filter((preset) => preset.scopes.every((scope) => own.includes(scope))) ?? [];
  const [isCustom, setIsCustom] = useState(false);
  const same = presets.find((candidate) => isSame(candidate.scopes, scopes))?.name;
  const hasOthers = isCustom || (same === undefined && scopes.length > 0);
  const hasCheckboxes = !hasPresets || hasOthers;
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
          description={presetHint(hasOthers ? custom : same, scopes.length)}
          value={hasOthers ? custom : (same ?? "")}
          data={[
            ...(same === undefined && !hasOthers ? [{ value: "", label: "Choose a preset" }] : []),
            ...presets.map(({ name }) => ({ value: name, label: name })),
            { value: custom, label: "Custom" },
          ]}
          onChange={({ currentTarget: { value } }) => {
            setIsCustom(value === custom);
            if (value !== custom)
              onChange(presets.find(({ name }) => name === value)?.scopes ?? []);
          }}
          error={hasCheckboxes ? undefined : error}
        />
      )}
      {hasCheckboxes && (
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
      )}
    </Stack>
  );
};

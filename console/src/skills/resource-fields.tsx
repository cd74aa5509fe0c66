import {
  Button,
  Checkbox,
  CloseButton,
  Fieldset,
  Group,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { fieldError } from "../shared/problem.ts";
import type { ResourceEntry } from "./skill-form.ts";

type ResourceFieldsProps = {
  resources: readonly ResourceEntry[];
  onChange: (resources: ResourceEntry[]) => void;
  error: unknown;
};

/** Edits the resources of a skill. */
export const ResourceFields = ({ resources, onChange, error }: ResourceFieldsProps) => {
  const change = (key: string, changed: Partial<ResourceEntry>): void =>
    onChange(
      resources.map((resource) => (resource.key === key ? { ...resource, ...changed } : resource)),
    );
  const add = (): void => {
    const last = Math.max(-1, ...resources.map(({ key }) => Number(key)));
    onChange([
      ...resources,
      { key: String(last + 1), assetId: "", description: "", vectorized: false },
    ]);
  };
  return (
    <Fieldset legend="Resources">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          IDs of assets. The model searches vectorized assets, and reads the text of others.
        </Text>
        {resources.map((resource, index) => (
          <ResourceRow
            key={resource.key}
            number={index + 1}
            resource={resource}
            error={fieldError(error, `/resources/${index}`)}
            onChange={(changed) => change(resource.key, changed)}
            onRemove={() => onChange(resources.filter(({ key }) => key !== resource.key))}
          />
        ))}
        <Group>
          <Button variant="default" size="xs" onClick={add}>
            Add resource
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
};

type ResourceRowProps = {
  number: number;
  resource: ResourceEntry;
  error: string | undefined;
  onChange: (changed: Partial<ResourceEntry>) => void;
  onRemove: () => void;
};

const ResourceRow = ({ number, resource, error, onChange, onRemove }: ResourceRowProps) => (
  <Group align="flex-start" gap="xs">
    <TextInput
      aria-label={`Asset of resource ${number}`}
      placeholder="ID of an asset"
      flex="1 1 160px"
      value={resource.assetId}
      onChange={({ currentTarget }) => onChange({ assetId: currentTarget.value })}
      error={error}
    />
    <TextInput
      aria-label={`Contents of resource ${number}`}
      placeholder="Contents of the asset"
      flex="2 1 200px"
      value={resource.description}
      onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
    />
    <Group gap="xs" mt={4} wrap="nowrap">
      <Checkbox
        label="Vectorized"
        aria-label={`Resource ${number} is vectorized`}
        checked={resource.vectorized}
        onChange={({ currentTarget }) => onChange({ vectorized: currentTarget.checked })}
      />
      <CloseButton aria-label={`Remove resource ${number}`} onClick={onRemove} />
    </Group>
  </Group>
);

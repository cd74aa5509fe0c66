import { Button, Fieldset, Group, MultiSelect, Stack } from "@mantine/core";
import {
  isRecord,
  itemsIn,
  type Members,
  textIn,
  textsIn,
  withItem,
  withMember,
} from "../../../flow-graph/members.ts";
import { ModelField } from "../../../models/model-field.tsx";
import { ChoiceMember, unmounted } from "./text-fields.tsx";

/** A model provider to choose, and its default model. */
export type ProviderChoice = {
  readonly id: string;
  readonly displayName: string;
  readonly defaultModel: string | null;
};

const maxFallbacks = 3;

/** Failures after which the next model may be called. */
const reasons = [
  { value: "rate-limited", label: "rate-limited: too many requests" },
  { value: "overloaded", label: "overloaded: the provider has no capacity" },
  { value: "unavailable", label: "unavailable: the provider fails" },
  { value: "timeout", label: "timeout: no response in time" },
  { value: "context-exceeded", label: "context-exceeded: the request is too long for the model" },
  { value: "refused", label: "refused: blocked by the provider's filter" },
];

type FallbackMembersProps = {
  /** The reference to the first model. */
  llm: Members;
  providers: readonly ProviderChoice[];
  onChange: (llm: Members) => void;
  errorAt: (pointer: string) => string | undefined;
};

/** The models that are called when the first one fails. */
export const FallbackMembers = ({ llm, providers, onChange, errorAt }: FallbackMembersProps) => {
  const fallbacks = itemsIn(llm.fallbacks).map((item) => (isRecord(item) ? item : {}));
  const setAll = (next: readonly Members[]): void =>
    onChange(withMember(llm, "fallbacks", next.length === 0 ? undefined : next));
  const add = (
    <Group>
      <Button
        variant="default"
        size="compact-sm"
        disabled={fallbacks.length >= maxFallbacks}
        onClick={() => setAll([...fallbacks, { providerId: "", parameters: {} }])}
      >
        Add fallback
      </Button>
    </Group>
  );
  if (fallbacks.length === 0) return add;
  return (
    <Fieldset legend="Fallbacks" p="sm">
      <Stack gap="sm">
        {fallbacks.map((fallback, index) => (
          <FallbackRow
            key={`fallback ${index + 1}`}
            number={index + 1}
            fallback={fallback}
            providers={providers}
            errorAt={(pointer) => errorAt(`/fallbacks/${index}${pointer}`)}
            onChange={(next) => setAll(withItem(fallbacks, index, next))}
            onRemove={() => setAll(fallbacks.filter((_fallback, at) => at !== index))}
          />
        ))}
        {add}
        <MultiSelect
          comboboxProps={unmounted}
          searchable
          label="Failures that lead to a fallback"
          description="By default: rate-limited, overloaded, unavailable and timeout."
          value={textsIn(llm.fallbackOn)}
          data={reasons}
          onChange={(next) =>
            onChange(withMember(llm, "fallbackOn", next.length === 0 ? undefined : next))
          }
          error={errorAt("/fallbackOn")}
        />
      </Stack>
    </Fieldset>
  );
};

type FallbackRowProps = {
  number: number;
  fallback: Members;
  providers: readonly ProviderChoice[];
  errorAt: (pointer: string) => string | undefined;
  onChange: (fallback: Members) => void;
  onRemove: () => void;
};

const FallbackRow = (props: FallbackRowProps) => {
  const { number, fallback, providers, errorAt, onChange, onRemove } = props;
  const providerId = textIn(fallback.providerId);
  const parameters = isRecord(fallback.parameters) ? fallback.parameters : {};
  const defaultModel = providers.find(({ id }) => id === providerId)?.defaultModel;
  return (
    <Stack gap="xs">
      <ChoiceMember
        label={`Provider of fallback ${number}`}
        value={providerId}
        data={providers.map(({ id, displayName }) => ({ value: id, label: displayName }))}
        onChange={(chosen) => onChange({ ...fallback, providerId: chosen ?? "" })}
        error={errorAt("/providerId")}
      />
      <ModelField
        label={`Model of fallback ${number}`}
        placeholder={defaultModel ?? undefined}
        providerId={providers.find(({ id }) => id === providerId)?.id}
        value={textIn(parameters.model)}
        onChange={(model) =>
          onChange({ ...fallback, parameters: withMember(parameters, "model", model || undefined) })
        }
        error={errorAt("/parameters/model")}
      />
      <Group>
        <Button variant="default" size="compact-sm" onClick={onRemove}>
          Remove fallback {number}
        </Button>
      </Group>
    </Stack>
  );
};

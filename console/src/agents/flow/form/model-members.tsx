import { Group } from "@mantine/core";
import { isRecord, type Members, textIn, withMember } from "../../../flow-graph/members.ts";
import { ModelField } from "../../../models/model-field.tsx";
import { useProviders } from "../../../models/use-providers.ts";
import { useLoadAll } from "../../../shared/use-load-all.ts";
import { FallbackMembers } from "./fallback-members.tsx";
import { ChoiceMember, NumberMember, OptionMember } from "./text-fields.tsx";

type ModelMembersProps = {
  /** The reference to a model: `{providerId, parameters}`. */
  llm: unknown;
  onChange: (llm: Members | undefined) => void;
  errorAt: (pointer: string) => string | undefined;
  /** Shown while no provider is chosen. */
  placeholder: string;
  /** Refusals of the reference as a whole. */
  error?: string | undefined;
};

/** Chooses a provider and a model, with the settings of its calls. */
export const ModelMembers = ({ llm, onChange, errorAt, placeholder, error }: ModelMembersProps) => {
  const providers = useLoadAll(useProviders()).items;
  const own = isRecord(llm) ? llm : undefined;
  const parameters = isRecord(own?.parameters) ? own.parameters : {};
  const providerId = textIn(own?.providerId);
  const set = (name: string, value: unknown): void =>
    onChange({ ...own, parameters: withMember(parameters, name, value) });
  const defaultModel = providers.find(({ id }) => id === providerId)?.defaultModel;
  return (
    <>
      <ChoiceMember
        label="Model provider"
        placeholder={placeholder}
        isClearable
        value={providerId}
        data={providers.map(({ id, displayName }) => ({ value: id, label: displayName }))}
        onChange={(chosen) =>
          onChange(chosen === undefined ? undefined : { ...own, providerId: chosen })
        }
        error={error ?? errorAt("/providerId")}
      />
      {own && (
        <>
          <ModelField
            label="Model"
            placeholder={defaultModel ?? undefined}
            providerId={providers.find(({ id }) => id === providerId)?.id}
            value={textIn(parameters.model)}
            onChange={(model) => set("model", model || undefined)}
            error={errorAt("/parameters/model")}
          />
          <Group grow align="flex-start">
            <NumberMember
              label="Temperature"
              isWhole={false}
              value={parameters.temperature}
              onChange={(value) => set("temperature", value)}
              error={errorAt("/parameters/temperature")}
            />
            <NumberMember
              label="Max output tokens"
              value={parameters.maxOutputTokens}
              onChange={(value) => set("maxOutputTokens", value)}
              error={errorAt("/parameters/maxOutputTokens")}
            />
          </Group>
          <OptionMember
            label="Prompt cache"
            none="auto (default)"
            value={textIn(own.cache)}
            options={[
              { value: "auto", label: "auto: caches the start of requests" },
              { value: "off", label: "off" },
            ]}
            onChange={(cache) => onChange(withMember(own, "cache", cache))}
            error={errorAt("/cache")}
          />
          <FallbackMembers llm={own} providers={providers} onChange={onChange} errorAt={errorAt} />
        </>
      )}
    </>
  );
};

import { NativeSelect, Select } from "@mantine/core";
import type { WebhookSubscriberType } from "../../../client/openapi.ts";
import { AgentSelect } from "../agents/agent-select.tsx";
import { useConnectors } from "../connectors/use-connectors.ts";
import { useAssets } from "../knowledge/use-assets.ts";
import { fieldError } from "../shared/problem.ts";
import { useLoadAll } from "../shared/use-load-all.ts";

/** The subscriber as chosen; its id is empty until then. */
export type Subscriber = { type: WebhookSubscriberType; id: string };

type SubscriberFieldsProps = {
  subscriber: Subscriber;
  onChange: (subscriber: Subscriber) => void;
  error: unknown;
};

const types: readonly { value: WebhookSubscriberType; label: string }[] = [
  { value: "Agent", label: "Agent: a delivery runs it" },
  { value: "Connector", label: "Connector: a delivery is a message to it" },
  { value: "Asset", label: "Asset: a delivery starts a sync of it" },
];

/** Chooses the subscriber. */
export const SubscriberFields = ({ subscriber, onChange, error }: SubscriberFieldsProps) => {
  const { type, id } = subscriber;
  const choose = (chosen: string | undefined): void => onChange({ type, id: chosen ?? "" });
  const idError = fieldError(error, "/subscriberId");
  return (
    <>
      <NativeSelect
        label="Subscriber"
        data-autofocus
        value={type}
        data={[...types]}
        onChange={({ currentTarget }) => {
          const chosen = types.find(({ value }) => value === currentTarget.value);
          if (chosen) onChange({ type: chosen.value, id: "" });
        }}
        error={fieldError(error, "/subscriberType")}
      />
      {type === "Agent" && (
        <AgentSelect label="Agent" agent={id || undefined} onChange={choose} error={idError} />
      )}
      {type === "Connector" && <ConnectorField id={id} onChange={choose} error={idError} />}
      {type === "Asset" && <AssetField id={id} onChange={choose} error={idError} />}
    </>
  );
};

type FieldProps = {
  id: string;
  onChange: (id: string | undefined) => void;
  error: string | undefined;
};

const ConnectorField = ({ id, onChange, error }: FieldProps) => (
  <Select
    label="Connector"
    searchable
    allowDeselect={false}
    nothingFoundMessage="No connector has this name"
    value={id || null}
    data={useLoadAll(useConnectors(undefined)).items.map((each) => ({
      value: each.id,
      label: `${each.name} (${each.agentId})`,
    }))}
    onChange={(value) => onChange(value ?? undefined)}
    error={error}
  />
);

const AssetField = ({ id, onChange, error }: FieldProps) => (
  <Select
    label="Asset"
    searchable
    allowDeselect={false}
    nothingFoundMessage="No asset has this name"
    value={id || null}
    data={useLoadAll(useAssets()).items.map((each) => ({
      value: each.id,
      label: each.displayName ?? each.id,
    }))}
    onChange={(value) => onChange(value ?? undefined)}
    error={error}
  />
);

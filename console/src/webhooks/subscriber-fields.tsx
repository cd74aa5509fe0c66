import { NativeSelect, Select } from "@mantine/core";
import type { WebhookSubscriberType } from "../../../client/openapi.ts";
import { AgentSelect } from "../agent-queries/agent-select.tsx";
import { useAgentRights } from "../agent-queries/use-may-at.ts";
import { useAssets } from "../asset-queries/use-assets.ts";
import { useConnectors } from "../connectors/use-connectors.ts";
import { useMay } from "../session/permissions.ts";
import { fieldError } from "../shared/problem.ts";
import { useLoadAll } from "../shared/use-load-all.ts";

/** The subscriber as chosen; its id is empty until then. */
export type Subscriber = { type: WebhookSubscriberType; id: string };

type SubscriberFieldsProps = {
  subscriber: Subscriber;
  onChange: (subscriber: Subscriber) => void;
  error: unknown;
};

type SubscriberType = {
  value: WebhookSubscriberType;
  label: string;
  /** Scopes without which the API refuses it, or lists none. */
  scopes: readonly string[];
};

const types: readonly SubscriberType[] = [
  { value: "Agent", label: "Agent: a delivery runs it", scopes: ["agents:execute"] },
  {
    value: "Connector",
    label: "Connector: a delivery is a message to it",
    scopes: ["agents:execute", "connectors:read"],
  },
  { value: "Asset", label: "Asset: a delivery starts a sync of it", scopes: ["assets:read"] },
];

/** Returns the types of subscribers that the user may subscribe. */
export const useSubscriberTypes = (): readonly SubscriberType[] => {
  const may = useMay();
  return types.filter(({ scopes }) => scopes.every(may));
};

/** Chooses the subscriber. */
export const SubscriberFields = ({ subscriber, onChange, error }: SubscriberFieldsProps) => {
  const { type, id } = subscriber;
  const offered = useSubscriberTypes();
  const choose = (chosen: string | undefined): void => onChange({ type, id: chosen ?? "" });
  const idError = fieldError(error, "/subscriberId");
  return (
    <>
      <NativeSelect
        label="Subscriber"
        data-autofocus
        value={type}
        data={offered.map(({ value, label }) => ({ value, label }))}
        onChange={({ currentTarget }) => {
          const chosen = offered.find(({ value }) => value === currentTarget.value);
          if (chosen) onChange({ type: chosen.value, id: "" });
        }}
        error={fieldError(error, "/subscriberType")}
      />
      {type === "Agent" && (
        <AgentSelect
          label="Agent"
          scope="agents:execute"
          agent={id || undefined}
          onChange={choose}
          error={idError}
        />
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

const ConnectorField = ({ id, onChange, error }: FieldProps) => {
  const { items } = useLoadAll(useConnectors(undefined));
  const rightsFor = useAgentRights([...new Set(items.map(({ agentId }) => agentId))]);
  return (
    <Select
      label="Connector"
      searchable
      allowDeselect={false}
      nothingFoundMessage="No connector has this name"
      value={id || null}
      data={items
        .filter(({ agentId }) => rightsFor([agentId]).mayAt("agents:execute"))
        .map((item) => ({ value: item.id, label: `${item.name} (${item.agentId})` }))}
      onChange={(value) => onChange(value ?? undefined)}
      error={error}
    />
  );
};

const AssetField = ({ id, onChange, error }: FieldProps) => (
  <Select
    label="Asset"
    searchable
    allowDeselect={false}
    nothingFoundMessage="No asset has this name"
    value={id || null}
    data={useLoadAll(useAssets()).items.map((item) => ({
      value: item.id,
      label: item.displayName ?? item.id,
    }))}
    onChange={(value) => onChange(value ?? undefined)}
    error={error}
  />
);

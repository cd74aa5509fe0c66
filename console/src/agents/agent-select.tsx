import { Select, type SelectProps } from "@mantine/core";
import { useLoadAll } from "../shared/use-load-all.ts";
import { useAgents } from "./use-agents.ts";

type AgentSelectProps = Pick<SelectProps, "maw"> & {
  label: string;
  agent: string | undefined;
  onChange: (agent: string | undefined) => void;
  error?: string | undefined;
  /** Offers to choose none, with this text. */
  none?: string;
};

/** Chooses an agent by its name. */
export const AgentSelect = ({ label, agent, onChange, error, none, maw }: AgentSelectProps) => {
  const { items } = useLoadAll(useAgents());
  const isUnknown = agent !== undefined && !items.some(({ id }) => id === agent);
  return (
    <Select
      label={label}
      maw={maw}
      searchable
      allowDeselect={false}
      nothingFoundMessage="No agent has this name"
      placeholder={none === undefined ? "Choose an agent" : undefined}
      value={agent ?? (none === undefined ? null : "")}
      data={[
        ...(none === undefined ? [] : [{ value: "", label: none }]),
        ...items.map(({ id, displayName }) => ({ value: id, label: displayName })),
        ...(isUnknown ? [{ value: agent, label: agent }] : []),
      ]}
      onChange={(value) => onChange(value || undefined)}
      error={error}
    />
  );
};

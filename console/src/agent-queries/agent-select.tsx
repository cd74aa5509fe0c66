import { Select, type SelectProps } from "@mantine/core";
import { useLoadAll } from "../shared/use-load-all.ts";
import { useAgents } from "./use-agents.ts";
import { useAgentRights } from "./use-may-at.ts";

type AgentSelectProps = Pick<SelectProps, "maw"> & {
  label: string;
  agent: string | undefined;
  onChange: (agent: string | undefined) => void;
  error?: string | undefined;
  /** Offers to choose none, with this text. */
  none?: string;
  /** Offers only agents at which the user has this scope, as an Editor at least. */
  scope?: string;
};

/** Maximum agents to read roles of; the API decides about further ones. */
const mostChecked = 100;

/** Chooses an agent by its name. */
export const AgentSelect = (props: AgentSelectProps) => {
  const { label, agent, onChange, error, none, scope, maw } = props;
  const { items } = useLoadAll(useAgents());
  const checked = scope === undefined ? [] : items.slice(0, mostChecked);
  const rightsFor = useAgentRights(checked.map(({ id }) => id));
  const offered = items.filter(({ id }) => scope === undefined || rightsFor([id]).mayAt(scope));
  const isLeftOut = agent !== undefined && !offered.some(({ id }) => id === agent);
  return (
    <Select
      label={label}
      maw={maw}
      searchable
      allowDeselect={false}
      nothingFoundMessage={
        items.length > 0 && offered.length === 0
          ? "No agent for which you have the permission"
          : "No agent has this name"
      }
      placeholder={none === undefined ? "Choose an agent" : undefined}
      value={agent ?? (none === undefined ? null : "")}
      data={[
        ...(none === undefined ? [] : [{ value: "", label: none }]),
        ...offered.map(({ id, displayName }) => ({ value: id, label: displayName })),
        ...(isLeftOut ? [{ value: agent, label: agent }] : []),
      ]}
      onChange={(value) => onChange(value || undefined)}
      error={error}
    />
  );
};

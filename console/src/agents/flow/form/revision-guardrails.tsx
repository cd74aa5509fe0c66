import { MultiSelect } from "@mantine/core";
import type { Draft } from "../../../flow-graph/edit-flow.ts";
import { textsIn, withMember } from "../../../flow-graph/members.ts";
import { useGuardrails } from "../../../guardrails/use-guardrails.ts";
import { useLoadAll } from "../../../shared/use-load-all.ts";
import { unmounted } from "./text-fields.tsx";

type RevisionGuardrailsProps = {
  draft: Draft;
  onChange: (draft: Draft) => void;
  error: string | undefined;
};

/** Chooses the guardrails that check the executions of the revision. */
export const RevisionGuardrails = ({ draft, onChange, error }: RevisionGuardrailsProps) => {
  const { items } = useLoadAll(useGuardrails());
  const named = textsIn(draft.guardrails);
  const names = new Map([
    ...named.map((id) => [id, id] as const),
    ...items.map(({ id, displayName }) => [id, displayName] as const),
  ]);
  return (
    <MultiSelect
      comboboxProps={unmounted}
      label="Guardrails"
      description="Applied in this order, after those of all agents."
      searchable
      nothingFoundMessage="No guardrail has this name"
      value={named}
      data={[...names].map(([value, label]) => ({ value, label }))}
      onChange={(ids) =>
        onChange(withMember(draft, "guardrails", ids.length === 0 ? undefined : ids))
      }
      error={error}
    />
  );
};

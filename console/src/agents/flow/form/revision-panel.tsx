import { Stack } from "@mantine/core";
import type { Draft } from "../../../flow-graph/edit-flow.ts";
import { isRecord, itemsIn } from "../../../flow-graph/members.ts";
import { detailAt, type Refusals } from "../../../flow-graph/refusals.ts";
import { ModelMembers } from "./model-members.tsx";
import { ParameterRows } from "./parameter-rows.tsx";
import { RevisionAssets } from "./revision-assets.tsx";
import { RevisionGuardrails } from "./revision-guardrails.tsx";
import { SessionMembers } from "./session-members.tsx";

type RevisionPanelProps = {
  draft: Draft;
  onChange: (draft: Draft) => void;
  refusals: Refusals;
};

/** Edits what belongs to the whole revision: its inputs, the model of its steps and the assets that they search. */
export const RevisionPanel = ({ draft, onChange, refusals }: RevisionPanelProps) => {
  const errorAt = (pointer: string): string | undefined => detailAt(refusals.others, pointer);
  const [llm, ...otherLlms] = itemsIn(draft.llmConfigs);
  return (
    <Stack gap="sm">
      <Inputs draft={draft} onChange={onChange} errorAt={errorAt} />
      <ModelMembers
        llm={llm}
        placeholder="None: each Prompt step has its own"
        onChange={(next) =>
          onChange({ ...draft, llmConfigs: next ? [next, ...otherLlms] : otherLlms })
        }
        errorAt={(pointer) => errorAt(`/llmConfigs/0${pointer}`)}
        error={errorAt("/llmConfigs")}
      />
      <RevisionAssets draft={draft} onChange={onChange} error={errorAt("/assets")} />
      <RevisionGuardrails draft={draft} onChange={onChange} error={errorAt("/guardrails")} />
      <SessionMembers draft={draft} onChange={onChange} errorAt={errorAt} />
    </Stack>
  );
};

type InputsProps = Pick<RevisionPanelProps, "draft" | "onChange"> & {
  errorAt: (pointer: string) => string | undefined;
};

/** Inputs of an execution, which expressions read as `input.NAME`. */
const Inputs = ({ draft, onChange, errorAt }: InputsProps) => (
  <ParameterRows
    legend="Inputs"
    noun="input"
    none="No inputs. Expressions read an input as input.name after you add it."
    items={itemsIn(draft.parametersMetadata).map((item) => (isRecord(item) ? item : {}))}
    onChange={(next) => onChange({ ...draft, parametersMetadata: next })}
    errorAt={(pointer) => errorAt(`/parametersMetadata${pointer}`)}
    hasFiles
  />
);

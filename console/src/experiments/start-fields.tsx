import { MultiSelect, NumberInput, Select, SimpleGrid, Text, TextInput } from "@mantine/core";
import { AgentSelect } from "../agent-queries/agent-select.tsx";
import { useRevisions } from "../agent-queries/use-revisions.ts";
import { useDataset, useDatasets } from "../datasets/use-datasets.ts";
import { formatPlural } from "../shared/format-plural.ts";
import { fieldError } from "../shared/problem.ts";
import { ReadProblem } from "../shared/read-problem.tsx";
import { useLoadAll } from "../shared/use-load-all.ts";
import { useScorers } from "./scorers/use-scorers.ts";
import type { StartForm } from "./start-form.ts";

type StartFieldsProps = {
  form: StartForm;
  onChange: (form: StartForm) => void;
  error: unknown;
};

/** The fields of a new experiment. */
export const StartFields = ({ form, onChange, error }: StartFieldsProps) => {
  const list = useLoadAll(useDatasets());
  return (
    <>
      <ReadProblem error={list.error} />
      <TextInput
        label="Name"
        description="For example, what the new revision changes."
        value={form.displayName}
        onChange={({ currentTarget }) => onChange({ ...form, displayName: currentTarget.value })}
        error={fieldError(error, "/displayName")}
      />
      <Select
        label="Dataset"
        placeholder="Choose a dataset"
        searchable
        allowDeselect={false}
        nothingFoundMessage="No dataset has this name"
        value={form.datasetId ?? null}
        data={list.items.map(({ id, displayName }) => ({ value: id, label: displayName }))}
        onChange={(value) => onChange({ ...form, datasetId: value ?? undefined })}
        error={fieldError(error, "/datasetId")}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberInput
          label="Version"
          placeholder="newest"
          allowDecimal={false}
          value={form.version}
          onChange={(value) => onChange({ ...form, version: String(value) })}
          error={fieldError(error, "/version")}
        />
        <TextInput
          label="Split"
          placeholder="All examples"
          value={form.split}
          onChange={({ currentTarget }) => onChange({ ...form, split: currentTarget.value })}
          error={fieldError(error, "/split")}
        />
      </SimpleGrid>
      <AgentSelect
        label="Agent"
        scope="agents:test"
        agent={form.agentId}
        onChange={(agentId) => onChange({ ...form, agentId, revisions: [] })}
        error={fieldError(error, "/agentId")}
      />
      {form.agentId !== undefined && (
        <RevisionField agent={form.agentId} form={form} onChange={onChange} error={error} />
      )}
      <ScorerField form={form} onChange={onChange} error={error} />
      <LimitFields form={form} onChange={onChange} error={error} />
      {form.datasetId !== undefined && <RunCount dataset={form.datasetId} form={form} />}
    </>
  );
};

const RevisionField = ({ agent, form, onChange, error }: StartFieldsProps & { agent: string }) => {
  const { items } = useRevisions(agent);
  return (
    <MultiSelect
      label="Revisions"
      description="One to five. The first is the baseline."
      searchable
      maxValues={5}
      value={form.revisions}
      data={items.map(({ agentRevision }) => ({
        value: String(agentRevision),
        label: `Revision ${agentRevision}`,
      }))}
      onChange={(revisions) => onChange({ ...form, revisions })}
      error={fieldError(error, "/revisions")}
    />
  );
};

const ScorerField = ({ form, onChange, error }: StartFieldsProps) => {
  const list = useLoadAll(useScorers());
  const hasNone = list.items.length === 0 && !list.isLoading && !list.error;
  return (
    <MultiSelect
      label="Scorers"
      description={
        hasNone
          ? "No scorers yet. Create one in the tab Scorers of the experiments."
          : "All of them rate every output. Later changes of a scorer do not affect the experiment."
      }
      searchable
      value={form.scorers}
      data={list.items.map(({ id, displayName }) => ({ value: id, label: displayName }))}
      onChange={(scorers) => onChange({ ...form, scorers })}
      error={fieldError(error, "/scorers")}
    />
  );
};

const LimitFields = ({ form, onChange, error }: StartFieldsProps) => (
  <SimpleGrid cols={{ base: 1, xs: 3 }}>
    <NumberInput
      label="Repetitions"
      description="Per example"
      placeholder="1"
      allowDecimal={false}
      value={form.repetitions}
      onChange={(repetitions) => onChange({ ...form, repetitions })}
      error={fieldError(error, "/repetitions")}
    />
    <NumberInput
      label="Concurrency"
      description="Simultaneous runs"
      placeholder="5"
      allowDecimal={false}
      value={form.concurrency}
      onChange={(concurrency) => onChange({ ...form, concurrency })}
      error={fieldError(error, "/concurrency")}
    />
    <NumberInput
      label="Maximum cost"
      description="US dollars, scorers included"
      placeholder="No limit"
      prefix="$"
      hideControls
      value={form.maxCost}
      onChange={(maxCost) => onChange({ ...form, maxCost })}
      error={fieldError(error, "/maxCost")}
    />
  </SimpleGrid>
);

/** Number of runs, if it is known before: other versions and splits have other numbers of examples. */
const RunCount = ({ dataset, form }: { dataset: string; form: StartForm }) => {
  const { data } = useDataset(dataset);
  const { revisions, repetitions, version, split } = form;
  if (!data || revisions.length === 0 || split !== "" || version !== "") return null;
  const runs = data.exampleCount * revisions.length * (Number(repetitions) || 1);
  return (
    <Text size="sm" c="dimmed" aria-live="polite">
      {formatPlural(runs, "run")}: {formatPlural(data.exampleCount, "example")},{" "}
      {formatPlural(revisions.length, "revision")}
      {Number(repetitions) > 1 && `, ${repetitions} repetitions`}.
    </Text>
  );
};

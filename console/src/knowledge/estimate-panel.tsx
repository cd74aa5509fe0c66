import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { AssetEstimate, SourceType } from "../../../client/openapi.ts";
import { ProblemError } from "../../../client/problem-error.ts";
import { useAgents } from "../agent-queries/use-agents.ts";
import { useRightsAtAll } from "../agent-queries/use-may-at.ts";
import type { useEstimate } from "../asset-queries/use-assets.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import type { FormTexts } from "../shared/form-from-schema.tsx";
import { formatCost, formatCount } from "../shared/format.ts";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { ReadProblem } from "../shared/read-problem.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { toListState } from "../shared/to-list-state.ts";
import { assetPointers, filledParameters } from "./asset-form.ts";
import { uploadType } from "./source-types.ts";

type EstimatePanelProps = {
  type: SourceType;
  texts: FormTexts;
  estimate: ReturnType<typeof useEstimate>;
  /** Called before the source is read. */
  onEstimate: () => void;
};

/** Estimates how many tokens and chunks a source has, and what embedding them costs; nothing is stored. */
export const EstimatePanel = ({ type, texts, estimate, onEstimate }: EstimatePanelProps) => {
  const agents = useAgents();
  const { mutate, data, error, isPending } = estimate;
  // An estimate is made for an agent; only the source that reads an agent's assets differs by it.
  const agent = texts.agentId || agents.items[0]?.id;
  const { mayAt, isKnown } = useRightsAtAll(agent === undefined ? [] : [agent]);
  if (type.key === uploadType.key) {
    return (
      <Panel>
        <Text size="sm">
          Uploaded files need no estimate. Create the asset, then upload files to it: text,
          Markdown, HTML, CSV, JSON, PDF and DOCX.
        </Text>
      </Panel>
    );
  }
  const start = (): void => {
    if (agent === undefined) return;
    onEstimate();
    mutate({ agent, body: { type: type.key, parameters: filledParameters(type, texts) } });
  };
  return (
    <Panel>
      <Text size="sm" c="dimmed">
        Reads the source and counts its tokens and chunks. Nothing is stored or embedded.
      </Text>
      <Group>
        <Button
          variant="default"
          loading={isPending}
          disabled={agent === undefined || !mayAt("assets:write")}
          onClick={start}
        >
          Estimate
        </Button>
      </Group>
      {agent !== undefined && isKnown && !mayAt("assets:write") && (
        <Text size="sm">An estimate needs the role Editor at the agent {agent}.</Text>
      )}
      {!agents.isLoading && agent === undefined && (
        <Text size="sm">Create an agent first: an estimate needs an agent.</Text>
      )}
      <ReadProblem error={agents.error} />
      <ProblemAlert error={error} shownAt={assetPointers(type)} />
      <div aria-live="polite">
        {isPending && <Text size="sm">Reading the source: this takes up to 25 seconds.</Text>}
        <ReadSoFar error={error} />
        {data && !error && !isPending && <Estimate estimate={data} />}
      </div>
    </Panel>
  );
};

const Panel = ({ children }: { children: React.ReactNode }) => (
  <Paper
    withBorder
    p="md"
    component="section"
    aria-labelledby="estimate"
    style={{ alignSelf: "start" }}
  >
    <Stack gap="sm">
      <Title order={2} size="h4" id="estimate">
        Estimate
      </Title>
      {children}
    </Stack>
  </Paper>
);

const formatTotals = ({ tokenCount, chunkCount, documentCount }: Totals) =>
  `${formatCount(documentCount)} documents, ${formatCount(tokenCount)} tokens, ${formatCount(chunkCount)} chunks`;

type Totals = Pick<AssetEstimate, "tokenCount" | "chunkCount" | "documentCount">;

/** A source that took too long was read in part. */
const ReadSoFar = ({ error }: { error: unknown }) => {
  if (!(error instanceof ProblemError)) return null;
  const { tokenCount, chunkCount, documentCount } = error.problem;
  const isCounted = [tokenCount, chunkCount, documentCount].every((count) => count !== undefined);
  return (
    isCounted && (
      <Text size="sm">
        Read until then:{" "}
        {formatTotals({
          tokenCount: Number(tokenCount),
          chunkCount: Number(chunkCount),
          documentCount: Number(documentCount),
        })}
        .
      </Text>
    )
  );
};

type DocumentRow = AssetEstimate["documents"][number] & { index: number };

const columns: readonly Column<DocumentRow>[] = [
  { header: "Document", cell: ({ fileName }) => fileName },
  { header: "Tokens", isNumber: true, cell: ({ tokenCount }) => formatCount(tokenCount) },
  { header: "Chunks", isNumber: true, cell: ({ chunkCount }) => formatCount(chunkCount) },
];

const costColumns: readonly Column<AssetEstimate["estimatedCost"][number]>[] = [
  { header: "Embedded by", cell: ({ providerId, model }) => `${providerId}, ${model}` },
  { header: "Cost", isNumber: true, cell: ({ cost }) => formatCost(cost) },
];

const Estimate = ({ estimate }: { estimate: AssetEstimate }) => (
  <Stack gap="sm">
    <Text fw={600}>{formatTotals(estimate)}</Text>
    <ResourceTable
      label="Cost by model"
      list={toListState({ data: estimate.estimatedCost })}
      getId={({ providerId, model }) => `${providerId} ${model}`}
      columns={costColumns}
      empty={<Text size="sm">No embedding model has a known price.</Text>}
    />
    <ResourceTable
      label="Documents"
      list={toListState({
        data: estimate.documents.map((document, index) => ({ ...document, index })),
      })}
      getId={({ index }) => String(index)}
      columns={columns}
      empty={<EmptyState title="No documents">The source has no documents.</EmptyState>}
    />
  </Stack>
);

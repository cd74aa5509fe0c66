import { Stack, Text } from "@mantine/core";
import type { AssetEstimate } from "../../../client/openapi.ts";
import { ProblemError } from "../../../client/problem-error.ts";
import { useAgents } from "../agents/use-agents.ts";
import { PageLoader } from "../app/page-loader.tsx";
import { useTenant } from "../app/tenant.ts";
import { EmptyState } from "../shared/empty-state.tsx";
import { formatCount } from "../shared/format.ts";
import { Page } from "../shared/page.tsx";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { type Column, ResourceTable } from "../shared/resource-table.tsx";
import { EstimateForm } from "./estimate-form.tsx";
import { useEstimate, useSourceTypes } from "./use-assets.ts";

type DocumentRow = AssetEstimate["documents"][number] & { index: number };

const columns: readonly Column<DocumentRow>[] = [
  { header: "Document", cell: ({ fileName }) => fileName },
  { header: "Tokens", isNumber: true, cell: ({ tokenCount }) => formatCount(tokenCount) },
  { header: "Chunks", isNumber: true, cell: ({ chunkCount }) => formatCount(chunkCount) },
];

/** Estimates how many tokens and chunks a source has; nothing is stored. */
export const EstimatePage = () => {
  const tenant = useTenant();
  const types = useSourceTypes();
  const agents = useAgents();
  const estimate = useEstimate();
  const { data, error, isPending } = estimate;
  const problem = types.error ?? agents.error;
  return (
    <Page
      title="Estimate a source"
      back={`/t/${tenant}/knowledge`}
      description="Counts the tokens and chunks of a source without storing anything. Credentials are used for this request only."
    >
      <ProblemAlert error={problem} />
      {types.data && !agents.isLoading ? (
        <EstimateForm types={types.data} agents={agents.items} estimate={estimate} />
      ) : (
        !problem && <PageLoader />
      )}
      <div aria-live="polite">
        {isPending && <Text>Reading the source: this takes up to 25 seconds.</Text>}
        <ReadSoFar error={error} />
        {data && !error && !isPending && <Estimate estimate={data} />}
      </div>
    </Page>
  );
};

const totalsOf = ({ tokenCount, chunkCount, documentCount }: Omit<AssetEstimate, "documents">) =>
  `${formatCount(documentCount)} documents, ${formatCount(tokenCount)} tokens, ${formatCount(chunkCount)} chunks`;

/** A source that took too long was read in part. */
const ReadSoFar = ({ error }: { error: unknown }) => {
  if (!(error instanceof ProblemError)) return null;
  const { tokenCount, chunkCount, documentCount } = error.problem;
  const isCounted = [tokenCount, chunkCount, documentCount].every((each) => each !== undefined);
  return (
    isCounted && (
      <Text>
        Read until then:{" "}
        {totalsOf({
          tokenCount: Number(tokenCount),
          chunkCount: Number(chunkCount),
          documentCount: Number(documentCount),
        })}
        .
      </Text>
    )
  );
};

const Estimate = ({ estimate }: { estimate: AssetEstimate }) => (
  <Stack gap="sm">
    <Text fw={600}>{totalsOf(estimate)}</Text>
    <ResourceTable
      label="Documents"
      list={{
        items: estimate.documents.map((each, index) => ({ ...each, index })),
        isLoading: false,
        error: undefined,
        hasMore: false,
        isLoadingMore: false,
        loadMore: () => undefined,
      }}
      idOf={({ index }) => String(index)}
      columns={columns}
      empty={<EmptyState title="No documents">The source has nothing to read.</EmptyState>}
    />
  </Stack>
);

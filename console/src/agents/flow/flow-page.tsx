import { getRouteApi } from "@tanstack/react-router";
import { useAgent } from "../../agent-queries/use-agents.ts";
import { useRevision } from "../../agent-queries/use-revisions.ts";
import { formatDraft } from "../../flow-graph/edit-flow.ts";
import { PageLoader } from "../../shared/page-loader.tsx";
import { ProblemAlert } from "../../shared/problem-alert.tsx";
import { compactDraft } from "./compact-draft.ts";
import { FlowEditor } from "./flow-editor.tsx";

const route = getRouteApi("/t/$tenant/agents/$agent/flow");

/** A first revision to start from. */
const emptyDraft = { comment: null, parametersMetadata: [], flow: { steps: [], edges: [] } };

/** Shows and edits the flow of a revision: the one in the address, or the latest. */
export const FlowPage = () => {
  const { agent: id } = route.useParams();
  const search = route.useSearch();
  const agent = useAgent(id).data;
  const number = search.revision ?? agent?.latestRevision ?? null;
  const { data: revision, error } = useRevision(id, number);
  // Typed text is kept if a later read fails.
  if (error && !revision) return <ProblemAlert error={error} />;
  if (!agent || (number !== null && !revision)) return <PageLoader />;
  if (!revision)
    return <FlowEditor agent={agent} revision={null} initial={formatDraft(emptyDraft)} />;
  const { agentId: _, agentRevision, ...content } = revision;
  return (
    <FlowEditor
      key={agentRevision}
      agent={agent}
      revision={agentRevision}
      initial={formatDraft(compactDraft(content))}
    />
  );
};

import { Alert, Anchor, Button, Tabs } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useMay } from "../session/permissions.ts";
import { useTenant } from "../session/tenant.ts";
import { Facts } from "../shared/facts.tsx";
import { formatCost, formatKnownCost } from "../shared/format.ts";
import { Page } from "../shared/page.tsx";
import { PageLoader } from "../shared/page-loader.tsx";
import { ProblemAlert } from "../shared/problem-alert.tsx";
import { ReadProblem } from "../shared/read-problem.tsx";
import { StatusBadge } from "../shared/status-badge.tsx";
import { Time } from "../shared/time.tsx";
import { ExperimentProgress } from "./experiment-progress.tsx";
import { RegressionsTab } from "./regressions-tab.tsx";
import { ResultsTab } from "./results-tab.tsx";
import { type ExperimentSearch, type ExperimentTab, parseExperimentSearch } from "./search.ts";
import {
  experimentKinds,
  experimentStatusNames,
  formatExperimentName,
  isRunning,
} from "./status.ts";
import { SummarySection } from "./summary/summary-section.tsx";
import type { ExperimentDetail } from "./use-experiments.ts";
import { useCancelExperiment, useExperiment } from "./use-experiments.ts";
import { VersionsTab } from "./versions-tab.tsx";

const route = getRouteApi("/t/$tenant/experiments/$experiment");

/** Shows an experiment: its progress, then the revisions side by side, and what became worse. */
export const ExperimentPage = () => {
  const { tenant, experiment: id } = route.useParams();
  const { data: experiment, error } = useExperiment(id);
  const cancel = useCancelExperiment(id);
  const mayWrite = useMay()("datasets:write");
  if (error && !experiment) return <ReadProblem error={error} />;
  if (!experiment) return <PageLoader />;
  return (
    <Page
      title={formatExperimentName(experiment)}
      back={`/t/${tenant}/experiments`}
      description={<ExperimentFacts experiment={experiment} />}
      actions={
        mayWrite &&
        isRunning(experiment) && (
          <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel
          </Button>
        )
      }
    >
      <ReadProblem error={error} />
      <ProblemAlert error={cancel.error} />
      {experiment.error !== null && (
        <Alert color="red" variant="outline" title={experimentStatusNames[experiment.status]}>
          {experiment.error}
        </Alert>
      )}
      {experiment.endedAt === null && <ExperimentProgress experiment={experiment} />}
      <SummarySection experiment={experiment} />
      <ExperimentTabs experiment={experiment} />
    </Page>
  );
};

const ExperimentFacts = ({ experiment }: { experiment: ExperimentDetail }) => {
  const tenant = useTenant();
  const { status, datasetId, version, split, agentId, repetitions, maxCost } = experiment;
  const dataset = `/t/${tenant}/datasets/${encodeURIComponent(datasetId)}?version=${version}`;
  return (
    <Facts>
      <StatusBadge status={experimentStatusNames[status]} kind={experimentKinds[status]} />
      <Anchor size="sm" component={Link} to={`/t/${tenant}/agents/${agentId}`}>
        {agentId}
      </Anchor>
      <Anchor size="sm" component={Link} to={dataset}>
        {datasetId}, version {version}
      </Anchor>
      {split !== null && <span>Split {split}</span>}
      {repetitions > 1 && <span>{repetitions} repetitions</span>}
      <span>
        {formatKnownCost(experiment.totalCost, experiment.priced)}
        {maxCost !== null && ` of at most ${formatCost(maxCost)}`}
      </span>
      <span>
        Started <Time value={experiment.createdAt} />
      </span>
    </Facts>
  );
};

const ExperimentTabs = ({ experiment }: { experiment: ExperimentDetail }) => {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const canCompare = experiment.revisions.length > 1 && experiment.endedAt !== null;
  const first: ExperimentTab = canCompare ? "regressions" : "results";
  const tab = search.tab === "regressions" && !canCompare ? first : (search.tab ?? first);
  const change = (next: ExperimentSearch): void => void navigate({ search: next, replace: true });
  return (
    <Tabs
      value={tab}
      onChange={(value) => change({ ...search, ...parseExperimentSearch({ tab: value }) })}
      keepMounted={false}
    >
      <Tabs.List mb="md">
        {canCompare && <Tabs.Tab value="regressions">Regressions</Tabs.Tab>}
        <Tabs.Tab value="results">Results</Tabs.Tab>
        <Tabs.Tab value="versions">Versions</Tabs.Tab>
      </Tabs.List>
      {canCompare && (
        <Tabs.Panel value="regressions">
          <RegressionsTab experiment={experiment} search={search} onChange={change} />
        </Tabs.Panel>
      )}
      <Tabs.Panel value="results">
        <ResultsTab experiment={experiment} search={search} onChange={change} />
      </Tabs.Panel>
      <Tabs.Panel value="versions">
        <VersionsTab experiment={experiment} />
      </Tabs.Panel>
    </Tabs>
  );
};

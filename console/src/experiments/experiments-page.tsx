import { Button, Tabs } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useMay } from "../session/permissions.ts";
import { useMayStart } from "../session/use-may-start.ts";
import { Page } from "../shared/page.tsx";
import { ExperimentTable } from "./experiment-table.tsx";
import { ScorerDialog } from "./scorers/scorer-dialog.tsx";
import { ScorerTable } from "./scorers/scorer-table.tsx";

const route = getRouteApi("/t/$tenant/experiments");

/** Lists the experiments, and in a tab the scorers. */
export const ExperimentsPage = () => {
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Page
      title="Experiments"
      description="Compare the quality and cost of an agent's revisions on the same examples."
      actions={<Actions isAtScorers={tab === "scorers"} />}
    >
      <Tabs
        value={tab ?? "experiments"}
        onChange={(value) =>
          void navigate({ search: value === "scorers" ? { tab: value } : {}, replace: true })
        }
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="experiments">All experiments</Tabs.Tab>
          <Tabs.Tab value="scorers">Scorers</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="experiments">
          <ExperimentTable />
        </Tabs.Panel>
        <Tabs.Panel value="scorers">
          <ScorerTable />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
};

const Actions = ({ isAtScorers }: { isAtScorers: boolean }) => {
  const { tenant } = route.useParams();
  const navigate = route.useNavigate();
  const mayWrite = useMay()("datasets:write");
  const mayStart = useMayStart();
  const [isCreating, setIsCreating] = useState(false);
  if (isAtScorers) {
    return (
      mayWrite && (
        <>
          <Button onClick={() => setIsCreating(true)}>Create scorer</Button>
          {isCreating && <ScorerDialog onClose={() => setIsCreating(false)} />}
        </>
      )
    );
  }
  return (
    mayStart && (
      <Button
        onClick={() => void navigate({ to: "/t/$tenant/experiments/new", params: { tenant } })}
      >
        Start experiment
      </Button>
    )
  );
};

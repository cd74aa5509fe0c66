import { Badge, Group, List, Paper, Stack, Tabs, Text } from "@mantine/core";
import { lazy, Suspense, useMemo, useState } from "react";
import type { Revision } from "../../../../client/openapi.ts";
import { LineDiff } from "../../shared/line-diff.tsx";
import { PageLoader } from "../../shared/page-loader.tsx";
import { compactDraft } from "../flow/compact-draft.ts";
import { compareRevisions } from "./compare-revisions.ts";
import { type Change, describeChanges, mergeFlows } from "./describe-changes.ts";

const FlowGraph = lazy(() =>
  import("../../flow-graph/flow-graph.tsx").then(({ FlowGraph: component }) => ({
    default: component,
  })),
);

type RevisionComparisonProps = { before: Revision; after: Revision };

const colors = { added: "green", removed: "red", changed: "yellow", pinned: "gray" } as const;

/** Compares two revisions in words, on the graph, and as JSON. */
export const RevisionComparison = ({ before, after }: RevisionComparisonProps) => {
  const changes = useMemo(
    () => describeChanges(compactDraft(before), compactDraft(after)),
    [before, after],
  );
  const lines = useMemo(() => compareRevisions(before, after), [before, after]);
  return (
    <Tabs defaultValue="words" keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="words">Summary</Tabs.Tab>
        <Tabs.Tab value="graph">Graph</Tabs.Tab>
        <Tabs.Tab value="json">JSON</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="words" pt="sm">
        <Changes changes={changes} />
      </Tabs.Panel>
      <Tabs.Panel value="graph" pt="sm">
        <ComparedGraph before={before} after={after} />
      </Tabs.Panel>
      <Tabs.Panel value="json" pt="sm">
        <LineDiff lines={lines} />
      </Tabs.Panel>
    </Tabs>
  );
};

const Changes = ({ changes }: { changes: readonly Change[] }) => {
  if (changes.length === 0) return <Text c="dimmed">The revisions have no differences.</Text>;
  return (
    <Stack gap="sm" component="ul" aria-label="Changes" m={0} p={0}>
      {changes.map(({ kind, subject, details }) => (
        <li key={`${kind} ${subject}`} style={{ listStyle: "none" }}>
          <Group gap="xs">
            <Badge variant="outline" color={colors[kind]} tt="none" c="inherit">
              {kind}
            </Badge>
            <Text fw={600}>{subject}</Text>
          </Group>
          {details.length > 0 && (
            <List size="sm" withPadding>
              {details.map((detail) => (
                <List.Item key={detail} style={{ overflowWrap: "anywhere" }}>
                  {detail}
                </List.Item>
              ))}
            </List>
          )}
        </li>
      ))}
    </Stack>
  );
};

const ComparedGraph = ({ before, after }: RevisionComparisonProps) => {
  const { flow, marks } = useMemo(() => mergeFlows(before.flow, after.flow), [before, after]);
  const [selected, setSelected] = useState<string>();
  return (
    <Paper withBorder>
      <Suspense fallback={<PageLoader />}>
        <FlowGraph
          flow={flow}
          marks={marks}
          selected={selected}
          onSelect={setSelected}
          height={420}
        />
      </Suspense>
    </Paper>
  );
};

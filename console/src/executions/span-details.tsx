import { Alert, Anchor, Group, Paper, Stack, Text, Title, UnstyledButton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { isRecord } from "../flow-graph/members.ts";
import { useTenant } from "../session/tenant.ts";
import { formatCount, formatDuration, formatKnownCost } from "../shared/format.ts";
import { JsonView } from "../shared/json-view.tsx";
import { problemText } from "../shared/status-text.ts";
import { Citations } from "./citations.tsx";
import { LabelledList } from "./labelled-list.tsx";
import { toSpanConversation } from "./span-conversation.ts";
import { SpanConversation } from "./span-conversation-view.tsx";
import classes from "./span-details.module.css";
import { formatSpanFacts } from "./span-facts.ts";
import { isIteration, type Span, type SpanTree, spanName, sumUsage } from "./spans.ts";

type SpanDetailsProps = { tree: SpanTree; span: Span; onSelect: (span: Span) => void };

/** Shows input, output, tokens and cost of a span, and the spans inside it. */
export const SpanDetails = ({ tree, span, onSelect }: SpanDetailsProps) => {
  const { name, type, status, startTime, endTime, usage, modelId, servedBy, tool } = span;
  const { error, handled } = span;
  const { tokens, cost, priced } = sumUsage(tree, span);
  const conversation = toSpanConversation(tree, span);
  const counts = usage
    ? [
        `${formatCount(usage.inputTokens)} input`,
        `${formatCount(usage.outputTokens)} output`,
        usage.cachedTokens > 0 && `${formatCount(usage.cachedTokens)} cached`,
        usage.thinkingTokens > 0 && `${formatCount(usage.thinkingTokens)} thinking`,
      ]
        .filter(Boolean)
        .join(", ")
        .concat(" tokens")
    : tokens > 0 && `${formatCount(tokens)} tokens`;
  return (
    <Paper withBorder p="md" component="section" aria-label={`Span ${name}`}>
      <Stack>
        <div>
          <Path tree={tree} span={span} onSelect={onSelect} />
          <Title order={2} size="h4">
            {spanName(span)}
          </Title>
        </div>
        <Group gap="md">
          <Text size="sm">{type}</Text>
          <Text size="sm">{handled ? `${status}, handled by the flow` : status}</Text>
          <Text size="sm">{formatDuration(endTime - startTime)}</Text>
          {tool !== null && <Text size="sm">{tool}</Text>}
          {modelId !== null && <Text size="sm">{servedBy?.modelId ?? modelId}</Text>}
          {counts && <Text size="sm">{counts}</Text>}
          {(usage || cost > 0 || !priced) && <Text size="sm">{formatKnownCost(cost, priced)}</Text>}
          <SubExecution span={span} />
        </Group>
        {error && (
          <Alert color="red" variant="outline" title={problemText(error.type)}>
            {error.detail}
          </Alert>
        )}
        {conversation.length > 0 && <SpanConversation entries={conversation} onSelect={onSelect} />}
        <Inside tree={tree} span={span} onSelect={onSelect} />
        <Citations
          label={span.type === "Retrieve" ? "Documents found" : "Citations"}
          citations={span.citations ?? []}
        />
        <JsonView label="Span input" value={span.input} />
        <JsonView label="Span output" value={span.output} />
      </Stack>
    </Paper>
  );
};

/** Leads back to the spans that a span is inside of. */
const Path = ({ tree, span, onSelect }: SpanDetailsProps) => {
  const above: Span[] = [];
  for (let at = tree.find(span.parentId ?? undefined); at; at = tree.find(at.parentId ?? undefined))
    above.unshift(at);
  if (above.length === 0) return null;
  return (
    <Group gap={4} component="nav" aria-label="Spans around this one">
      {above.map((ancestor) => (
        <Anchor key={ancestor.id} component="button" size="sm" onClick={() => onSelect(ancestor)}>
          {spanName(ancestor)} ›
        </Anchor>
      ))}
    </Group>
  );
};

/** Lists the spans inside: iterations of a loop, calls of models and tools. */
const Inside = ({ tree, span, onSelect }: SpanDetailsProps) => {
  const inside = tree.inside(span);
  if (inside.length === 0) return null;
  const label = inside.some(isIteration) ? "Iterations" : "Calls";
  return (
    <LabelledList label={label} className={classes.list}>
      {inside.map((child) => (
        <li key={child.id}>
          <UnstyledButton className={classes.row ?? ""} onClick={() => onSelect(child)}>
            <span className={classes.dot} data-status={child.status} />
            <Text span size="sm" fw={500}>
              {spanName(child)}
            </Text>
            <Text span size="xs" c="dimmed">
              {child.type}
            </Text>
            <Text span size="xs" className={classes.facts ?? ""}>
              {formatSpanFacts(tree, child)}
            </Text>
          </UnstyledButton>
        </li>
      ))}
    </LabelledList>
  );
};

/** Leads to the execution that a sub-agent ran as. */
const SubExecution = ({ span: { input } }: { span: Span }) => {
  const tenant = useTenant();
  if (!isRecord(input)) return null;
  const { agentId, executionId } = input;
  if (typeof agentId !== "string" || typeof executionId !== "string") return null;
  return (
    <Anchor component={Link} size="sm" to={`/t/${tenant}/executions/${agentId}/${executionId}`}>
      Execution of {agentId}
    </Anchor>
  );
};

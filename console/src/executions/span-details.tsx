import { Alert, Group, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { formatCost, formatCount, formatDuration } from "../shared/format.ts";
import { JsonView } from "../shared/json-view.tsx";
import type { Span } from "./spans.ts";

/** Shows input, output, tokens and cost of a span. */
export const SpanDetails = ({ span }: { span: Span }) => {
  const { name, type, status, startTime, endTime, usage, cost, modelId, priced, error } = span;
  const tokens = usage && [
    `${formatCount(usage.inputTokens)} input`,
    `${formatCount(usage.outputTokens)} output`,
    `${formatCount(usage.cachedTokens)} cached`,
    `${formatCount(usage.thinkingTokens)} thinking tokens`,
  ];
  return (
    <Paper withBorder p="md" component="section" aria-label={`Span ${name}`}>
      <Stack>
        <Title order={2} size="h4">
          {name}
        </Title>
        <Group gap="md">
          <Text size="sm">{type}</Text>
          <Text size="sm">{status}</Text>
          <Text size="sm">{formatDuration(endTime - startTime)}</Text>
          {modelId !== null && <Text size="sm">{modelId}</Text>}
          {tokens && <Text size="sm">{tokens.join(", ")}</Text>}
          {cost && (
            <Text size="sm">
              {formatCost(cost.totalCost)}
              {priced === false && " (no price known)"}
            </Text>
          )}
        </Group>
        {error && (
          <Alert color="red" variant="outline" title={error.type}>
            {error.detail}
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <JsonView label="Span input" value={span.input} />
          <JsonView label="Span output" value={span.output} />
        </SimpleGrid>
      </Stack>
    </Paper>
  );
};

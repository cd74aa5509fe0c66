import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Facts } from "../../../shared/facts.tsx";
import { formatCount, formatDuration, formatKnownCost } from "../../../shared/format.ts";
import { JsonField } from "../../../shared/json-field.tsx";
import { JsonView } from "../../../shared/json-view.tsx";
import { parseJson } from "./parse-json.ts";
import type { DraftRun } from "./use-draft-run.ts";

type StepRunProps = { stepId: string; draftRun: DraftRun };

/** Runs a step alone, shows what it did last, and pins its output. */
export const StepRun = ({ stepId, draftRun }: StepRunProps) => {
  const { results, pins, pin, isBusy, begin, outputs } = draftRun;
  const state = results.get(stepId);
  const isPinned = pins.has(stepId);
  return (
    <Paper withBorder p="sm" component="section" aria-label={`Last run of ${stepId}`}>
      <Stack gap="xs">
        <Text component="div" size="sm">
          <Facts>
            <span>{isPinned ? "Pinned" : (state?.status ?? "Not run yet")}</span>
            {state?.durationMs !== undefined && <span>{formatDuration(state.durationMs)}</span>}
            {state?.tokens ? <span>{formatCount(state.tokens)} tokens</span> : null}
            {state?.cost !== undefined && state.cost > 0 && (
              <span>{formatKnownCost(state.cost, state.priced !== false)}</span>
            )}
          </Facts>
        </Text>
        <Group gap="xs">
          <Button size="compact-sm" loading={isBusy} onClick={() => begin(stepId)}>
            Run this step
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => pin(stepId, isPinned ? undefined : (outputs[stepId] ?? null))}
          >
            {isPinned ? "Unpin output" : "Pin output"}
          </Button>
        </Group>
        {state?.error !== undefined && !isPinned && (
          <Text size="sm" c="red" role="alert">
            {state.error}
          </Text>
        )}
        {isPinned ? (
          <PinnedOutput
            key={stepId}
            value={pins.get(stepId)}
            onChange={(value) => pin(stepId, value)}
          />
        ) : (
          state?.output !== undefined && (
            <JsonView label={`Output of ${stepId}`} value={state.output} maxHeight={160} />
          )
        )}
      </Stack>
    </Paper>
  );
};

type PinnedOutputProps = { value: unknown; onChange: (value: unknown) => void };

const PinnedOutput = ({ value, onChange }: PinnedOutputProps) => {
  const [text, setText] = useState(() => JSON.stringify(value, null, 2));
  return (
    <div data-own-undo>
      <JsonField
        label="Pinned output"
        description="Runs of the draft use this output instead of running the step."
        text={text}
        onChange={(next) => {
          setText(next);
          const parsed = parseJson(next);
          if (parsed) onChange(parsed.value);
        }}
        error={parseJson(text) ? undefined : "This is not valid JSON."}
      />
    </div>
  );
};

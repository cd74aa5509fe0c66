import { TagsInput, Textarea } from "@mantine/core";
import { fieldError } from "../shared/problem.ts";

/** The condition of a subscription, as typed. */
export type Condition = { eventTypes: readonly string[]; filter: string };

/** Converts what was typed to members of a subscription's body. */
export const toConditions = ({ eventTypes, filter }: Condition) => ({
  eventTypes: eventTypes.length === 0 ? null : [...eventTypes],
  filter: filter.trim() === "" ? null : filter,
});

type ConditionFieldsProps = {
  condition: Condition;
  onChange: (condition: Condition) => void;
  error: unknown;
};

/** Fields of the event types and the filter of a subscription. */
export const ConditionFields = ({ condition, onChange, error }: ConditionFieldsProps) => {
  const { eventTypes, filter } = condition;
  return (
    <>
      <TagsInput
        label="Event types"
        description="Such as push. Press Enter after each. If empty, all events match."
        value={[...eventTypes]}
        onChange={(chosen) => onChange({ filter, eventTypes: chosen })}
        error={fieldError(error, "/eventTypes")}
      />
      <Textarea
        label="Filter"
        description="A JSONata expression that reads eventType, headers and payload. A delivery matches if it returns true."
        placeholder="payload.action = 'opened'"
        autosize
        minRows={1}
        maxRows={8}
        styles={monospace}
        value={filter}
        onChange={({ currentTarget }) => onChange({ eventTypes, filter: currentTarget.value })}
        error={fieldError(error, "/filter")}
      />
    </>
  );
};

const monospace = { input: { fontFamily: "var(--mantine-font-family-monospace)" } };

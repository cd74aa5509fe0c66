import { Button, Group, Stack, Text } from "@mantine/core";
import type { Approval } from "../../../client/openapi.ts";
import { isRecord } from "../flow-graph/members.ts";
import { JsonField } from "../shared/json-field.tsx";
import { JsonView } from "../shared/json-view.tsx";
import type { PointedProblem } from "../shared/problem.ts";

/** Arguments that replace those of the call; none if they were not changed, or why the text is none. */
type Replaced = { value: Record<string, unknown> } | { problem: string } | Record<string, never>;

const format = (value: unknown): string => JSON.stringify(value, null, 2);

/** Reads the edited arguments of a tool. */
export const readArguments = (
  { arguments: shown }: Pick<Approval, "arguments">,
  edited: string | undefined,
): Replaced => {
  if (edited === undefined || edited === format(shown)) return {};
  try {
    const value: unknown = JSON.parse(edited);
    return isRecord(value) ? { value: { ...value } } : { problem: "This is not a JSON object." };
  } catch {
    return { problem: "This is not valid JSON." };
  }
};

type ArgumentsFieldProps = {
  approval: Approval;
  /** The edited text; undefined while they are not edited. */
  edited: string | undefined;
  /** Undefined where they cannot be edited. */
  onChange: ((edited: string | undefined) => void) | undefined;
  error: string | undefined;
  problems: readonly PointedProblem[];
};

/** Shows the arguments of a tool, and edits them. */
export const ArgumentsField = (props: ArgumentsFieldProps) => {
  const { approval, edited, onChange, error, problems } = props;
  const { toolId, arguments: shown } = approval;
  if (toolId === null) return null;
  return (
    <Stack gap="xs">
      <Text>Tool: {toolId}</Text>
      {edited === undefined ? (
        <JsonView label="Arguments" value={shown} />
      ) : (
        <JsonField
          label="Arguments"
          description="Sent to the tool. Masked values (********) stay as they are unless you replace them."
          text={edited}
          onChange={onChange}
          error={error}
          problems={problems}
          height={220}
        />
      )}
      {onChange && (
        <Group>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => onChange(edited === undefined ? format(shown) : undefined)}
          >
            {edited === undefined ? "Edit arguments" : "Discard edits"}
          </Button>
        </Group>
      )}
    </Stack>
  );
};

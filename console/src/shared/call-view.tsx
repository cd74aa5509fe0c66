import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./bubble.module.css";
import { JsonView } from "./json-view.tsx";

type CallViewProps = {
  name: string;
  /** Arguments of the call; null for none. */
  sent: unknown;
  result?: { output: unknown; isError: boolean } | undefined;
  /** Shown below the result. */
  children?: ReactNode;
};

/** A call of a tool in a conversation, closed at first. */
export const CallView = ({ name, sent, result, children }: CallViewProps) => {
  const outcome = result ? (result.isError ? ", failed" : "") : ", without a result";
  return (
    <details className={classes.call}>
      <summary>
        <Text span size="sm">
          Tool call {name}
          {outcome}
        </Text>
      </summary>
      <Stack gap="xs" py="xs">
        <JsonView label="Arguments" value={sent} />
        {result && <JsonView label={result.isError ? "Error" : "Result"} value={result.output} />}
        {children}
      </Stack>
    </details>
  );
};

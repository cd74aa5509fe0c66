import { Alert, Code, Group, List, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { CopyButton } from "./copy-button.tsx";
import { shownProblem } from "./problem.ts";

type ProblemAlertProps = {
  /** Nothing is shown without an error. */
  error: unknown;
  /** Pointers that the form shows at its fields. */
  shownAt?: readonly string[];
  /** A button below the error. */
  action?: ReactNode;
};

/** Shows an error: title, detail, the refused members that no field shows, and the request's id to copy. */
export const ProblemAlert = ({ error, shownAt = [], action }: ProblemAlertProps) => {
  if (error === undefined || error === null) return null;
  const { title, detail, fields, requestId } = shownProblem(error);
  const others = fields.filter(
    ({ pointer }) => !shownAt.some((at) => pointer === at || pointer.startsWith(`${at}/`)),
  );
  const isShownAtFields = fields.length > 0 && others.length < fields.length;
  return (
    <Alert color="red" variant="outline" title={title} role="alert">
      {detail !== "" && !isShownAtFields && fields.length === 0 && <Text size="sm">{detail}</Text>}
      {isShownAtFields && <Text size="sm">Check the fields that are marked.</Text>}
      {others.length > 0 && (
        <List size="sm">
          {others.map((field) => (
            <List.Item key={`${field.pointer} ${field.detail}`}>
              <Code>{field.pointer || "/"}</Code> {field.detail}
            </List.Item>
          ))}
        </List>
      )}
      {requestId !== undefined && (
        <Group gap="xs" mt="xs">
          <Text size="xs">
            Request <Code>{requestId}</Code>
          </Text>
          <CopyButton value={requestId} label="Copy request ID" size="compact-xs" />
        </Group>
      )}
      {action !== undefined && <Group mt="xs">{action}</Group>}
    </Alert>
  );
};

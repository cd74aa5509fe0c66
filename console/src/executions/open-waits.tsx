import { Alert, Text } from "@mantine/core";
import type { ExecutionDetail } from "../../../client/openapi.ts";
import { Time } from "../shared/time.tsx";

type Wait = ExecutionDetail["waits"][number];

const awaited: Readonly<Record<Wait["kind"], string>> = {
  Timer: "its time",
  Approval: "an approval",
  Event: "an event of its webhook",
  Callback: "a request to its address",
};

/** Shows what an execution waits for and until when, except for its approvals. */
export const OpenWaits = ({ waits }: { waits: readonly Wait[] }) => {
  const others = waits.filter(({ kind }) => kind !== "Approval");
  if (others.length === 0) return null;
  return (
    <Alert variant="outline" title="Waits">
      {others.map(({ path, kind, until }) => (
        <Text key={path} size="sm">
          {path}: for {awaited[kind]}, until <Time value={until} isExact />
        </Text>
      ))}
    </Alert>
  );
};

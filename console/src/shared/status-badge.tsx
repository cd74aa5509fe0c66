import { Badge } from "@mantine/core";

/** Kind of a status, which decides its colour. */
export type StatusKind = "good" | "bad" | "busy" | "idle";

const colors: Readonly<Record<StatusKind, string>> = {
  good: "var(--mantine-color-green-7)",
  bad: "var(--mantine-color-red-7)",
  busy: "var(--mantine-color-blue-6)",
  idle: "var(--mantine-color-gray-6)",
};

/** Shows a status as a text with a coloured dot. */
export const StatusBadge = ({ status, kind }: { status: string; kind: StatusKind }) => (
  <Badge
    variant="default"
    tt="none"
    fw={500}
    miw="max-content"
    leftSection={
      <span
        style={{
          display: "block",
          width: 8,
          height: 8,
          borderRadius: "50%",
          background: colors[kind],
        }}
      />
    }
  >
    {status}
  </Badge>
);

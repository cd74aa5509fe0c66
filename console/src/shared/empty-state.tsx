import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

type EmptyStateProps = {
  title: string;
  /** The next step for the user. */
  children: ReactNode;
  action?: ReactNode;
};

/** Shown in place of an empty list. */
export const EmptyState = ({ title, children, action }: EmptyStateProps) => (
  <Stack align="center" py="xl" gap="sm">
    <Title order={2} size="h4">
      {title}
    </Title>
    <Text c="dimmed" ta="center" maw={480}>
      {children}
    </Text>
    {action}
  </Stack>
);

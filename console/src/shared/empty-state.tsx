import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { DocsLink } from "./docs-link.tsx";

type EmptyStateProps = {
  title: string;
  /** The next step for the user. */
  children: ReactNode;
  action?: ReactNode;
  /** Page of the documentation about it. */
  docs?: string;
};

/** Shown in place of an empty list. */
export const EmptyState = ({ title, children, action, docs }: EmptyStateProps) => (
  <Stack align="center" py="xl" gap="sm">
    <Title order={2} size="h4">
      {title}
    </Title>
    <Text c="dimmed" ta="center" maw={480}>
      {children}
    </Text>
    {action}
    {docs !== undefined && <DocsLink page={docs} />}
  </Stack>
);

import { Group, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";

type PageProps = {
  title: string;
  /** One sentence about what is here. */
  description?: ReactNode;
  /** Buttons next to the title. */
  actions?: ReactNode;
  children: ReactNode;
};

/** A page: its title, which is the document's too, actions, and content. */
export const Page = ({ title, description, actions, children }: PageProps) => {
  useEffect(() => {
    document.title = `${title} · Wharf`;
  }, [title]);
  return (
    <Stack gap="md" maw={1400}>
      <Group justify="space-between" align="flex-start">
        <Stack gap={2}>
          <Title order={1} size="h2">
            {title}
          </Title>
          {description !== undefined && (
            <Text component="div" c="dimmed">
              {description}
            </Text>
          )}
        </Stack>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
};

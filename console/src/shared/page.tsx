import { ActionIcon, Group, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { BackIcon } from "./icons.tsx";
import classes from "./page.module.css";

type PageProps = {
  title: string;
  /** One sentence about the page. */
  description?: ReactNode;
  /** Address of the list that the page belongs to. */
  back?: string;
  /** Buttons next to the title. */
  actions?: ReactNode;
  children: ReactNode;
};

/** A page: its title, which is the document's too, actions, and content. */
export const Page = ({ title, description, back, actions, children }: PageProps) => {
  useEffect(() => {
    document.title = `${title} · Wharf`;
  }, [title]);
  return (
    <Stack gap="md" maw={1400}>
      <Stack gap={4}>
        <Group justify="space-between" align="flex-start" gap="xs" className={classes.head ?? ""}>
          <Group gap="xs" wrap="nowrap" align="flex-start" flex="1 1 auto" miw={0}>
            {back !== undefined && (
              <ActionIcon
                component={Link}
                to={back}
                variant="subtle"
                color="gray"
                aria-label="Back"
              >
                <BackIcon />
              </ActionIcon>
            )}
            <Title order={1} size="h3" miw={0}>
              {title}
            </Title>
          </Group>
          {actions !== undefined && (
            <Group gap="xs" className={classes.actions ?? ""}>
              {actions}
            </Group>
          )}
        </Group>
        {description !== undefined && (
          <Text component="div" c="dimmed" size="sm">
            {description}
          </Text>
        )}
      </Stack>
      {children}
    </Stack>
  );
};

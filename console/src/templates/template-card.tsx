import { Anchor, Paper, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTenant } from "../session/tenant.ts";
import classes from "./template-card.module.css";
import type { NamedTemplate } from "./template-file.ts";

/** A template in a list; leads to its dialog. */
export const TemplateCard = ({ named }: { named: NamedTemplate }) => {
  const tenant = useTenant();
  const { name, agent, template } = named;
  return (
    <Paper withBorder p="md" component="li" className={classes.card ?? ""}>
      <Stack gap={4} h="100%">
        <Anchor
          component={Link}
          to={`/t/${tenant}/templates?template=${name}`}
          fw={600}
          className={classes.link ?? ""}
        >
          {agent.displayName}
        </Anchor>
        <Text size="sm">{agent.description}</Text>
        <Text size="sm" c="dimmed" mt="auto">
          Needs: {template.needs}
        </Text>
      </Stack>
    </Paper>
  );
};

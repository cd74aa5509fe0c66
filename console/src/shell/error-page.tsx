import { Button, Stack, Title } from "@mantine/core";
import { ProblemAlert } from "../shared/problem-alert.tsx";

/** Shown when a page cannot be displayed at all. */
export const ErrorPage = ({ error }: { error: unknown }) => (
  <Stack align="flex-start" p="md">
    <Title order={1}>This page cannot be shown</Title>
    <ProblemAlert error={error} />
    <Button onClick={() => location.reload()}>Reload</Button>
  </Stack>
);

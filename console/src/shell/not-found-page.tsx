import { Button, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";

/** The page of an address that does not exist. */
export const NotFoundPage = () => (
  <Stack align="flex-start" p="md">
    <Title order={1}>Page not found</Title>
    <Text>No page has this address.</Text>
    <Button component={Link} to="/">
      Go to Home
    </Button>
  </Stack>
);

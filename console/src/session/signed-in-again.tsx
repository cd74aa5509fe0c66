import { Anchor, Container, Stack, Text, Title } from "@mantine/core";

/** Shown in the window of a repeated sign-in, if the browser does not close it. */
export const SignedInAgain = () => (
  <Container size="xs" py="xl" component="main">
    <Stack align="flex-start">
      <Title order={1}>You can close this window</Title>
      <Text>
        The page that you came from continues. If it is closed,{" "}
        <Anchor href="/console/">start here</Anchor>.
      </Text>
    </Stack>
  </Container>
);

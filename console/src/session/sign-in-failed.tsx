import { Button, Container, Stack, Text, Title } from "@mantine/core";

type SignInFailedProps = { error: unknown };

/** Shown when the sign-in failed or the issuer is not available. */
export const SignInFailed = ({ error }: SignInFailedProps) => (
  <Container size="xs" py="xl" component="main">
    <Stack align="flex-start">
      <Title order={1}>Cannot sign in</Title>
      <Text role="alert">{error instanceof Error ? error.message : String(error)}</Text>
      <Button onClick={() => location.assign("/console/")}>Try again</Button>
    </Stack>
  </Container>
);

import { Center, Loader } from "@mantine/core";

/** Shown while a page loads. */
export const PageLoader = () => (
  <Center p="xl">
    <Loader aria-label="Loading" role="status" />
  </Center>
);

import { useRouter } from "@tanstack/react-router";

/**
 * Returns a function to call when an action starts. It returns whether the user is still there: has not gone to another
 * page since, nor is on the way to one. What opens a page after an action asks it first.
 */
export const useIsStillHere = (): (() => () => boolean) => {
  const router = useRouter();
  return () => {
    const { pathname } = router.latestLocation;
    return () => router.latestLocation.pathname === pathname;
  };
};

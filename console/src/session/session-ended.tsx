import { lazy, Suspense, useEffect, useState } from "react";
import { useSession } from "./session-context.ts";

const load = () =>
  import("./session-ended-dialog.tsx").then(({ SessionEndedDialog }) => ({
    default: SessionEndedDialog,
  }));
const SessionEndedDialog = lazy(load);

/** Asks the user to sign in again when the session cannot be renewed; the page behind keeps what was typed. */
export const SessionEnded = () => {
  const { onEnd } = useSession();
  const [hasEnded, setHasEnded] = useState(false);
  useEffect(() => onEnd(setHasEnded), [onEnd]);
  // Loaded while the session is good: later the network may be gone.
  useEffect(() => {
    void load();
  }, []);
  return hasEnded ? (
    <Suspense>
      <SessionEndedDialog />
    </Suspense>
  ) : null;
};

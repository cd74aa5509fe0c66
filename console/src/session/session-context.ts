import { createContext, use } from "react";
import type { Session } from "./session.ts";

/** Provides the session to all pages. */
export const SessionContext = createContext<Session | undefined>(undefined);

/** Returns the session. */
export const useSession = (): Session => {
  const session = use(SessionContext);
  if (!session) throw new Error("There is no session above this component.");
  return session;
};

/** Returns the client of the API. */
export const useClient = (): Session["client"] => useSession().client;

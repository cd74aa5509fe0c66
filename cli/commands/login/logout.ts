import type { GlobalInput } from "../../command.ts";
import { credentialsPath, removeLogin } from "../../credentials.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";

/** Runs `wharf logout`. */
export const logout = async ({ json }: GlobalInput, io: Io): Promise<void> => {
  const path = credentialsPath(io);
  const removed = await removeLogin(path);
  printMessage(io, removed ? `Removed ${path}.` : "You are not logged in.");
  if (json) printJson(io, { loggedIn: false });
};

import type { GlobalInput } from "../../command.ts";
import { namedAddress } from "../../connection.ts";
import { credentialsPath, readLogins, saveLogins } from "../../credentials.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { withoutProfile } from "../../profiles.ts";

/** Runs `wharf logout`. */
export const logout = async (options: GlobalInput, io: Io): Promise<void> => {
  const path = credentialsPath(io);
  const named = namedAddress(options, io);
  const logins = await readLogins(path).catch(() => undefined);
  const profile = named.profile ?? logins?.current ?? "";
  const isLoggedIn = logins === undefined || profile in logins.profiles;
  // A damaged file is removed.
  if (isLoggedIn) {
    const others = logins ? withoutProfile(logins, profile) : { current: "", profiles: {} };
    await saveLogins(path, others);
  }
  const removed = Object.keys(logins?.profiles ?? {}).length > 1 ? `profile ${profile}` : path;
  printMessage(io, isLoggedIn ? `Removed ${removed}.` : "You are not logged in.");
  if (options.json) printJson(io, { loggedIn: false });
};

import type { GlobalInput } from "../../command.ts";
import { credentialsPath, readLogins, saveLogins } from "../../credentials.ts";
import { usage } from "../../exit.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";

type Input = GlobalInput & { name: string };

/** Runs `wharf profiles use`. */
export const useProfile = async ({ name, json }: Input, io: Io): Promise<void> => {
  const path = credentialsPath(io);
  const { profiles } = await readLogins(path);
  const login = profiles[name];
  if (login === undefined) {
    throw usage(`There is no profile with this name. Create it with wharf login --profile NAME.`);
  }
  await saveLogins(path, { current: name, profiles });
  if (json) printJson(io, { name, isCurrent: true });
  else printMessage(io, `Using ${name}: ${login.url}, tenant ${login.tenant}.`);
};

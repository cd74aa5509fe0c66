import type { CommandRow, GroupRow } from "./command.ts";
import { agents } from "./commands/agents.ts";
import { keys } from "./commands/keys.ts";
import { login, logout } from "./commands/login.ts";

/** Every command, in the order of the help. */
export const commands: readonly (CommandRow | GroupRow)[] = [login, logout, keys, agents];

import type { CommandRow, GroupRow } from "./command.ts";
import { agents } from "./commands/agents.ts";
import { approvals } from "./commands/approvals.ts";
import { chat } from "./commands/chat.ts";
import { costs } from "./commands/costs.ts";
import { datasets } from "./commands/datasets.ts";
import { dev } from "./commands/dev.ts";
import { executions } from "./commands/executions.ts";
import { experiments } from "./commands/experiments.ts";
import { files } from "./commands/files.ts";
import { guardrails } from "./commands/guardrails.ts";
import { integrations } from "./commands/integrations.ts";
import { keys } from "./commands/keys.ts";
import { knowledge } from "./commands/knowledge.ts";
import { login, logout } from "./commands/login.ts";
import { mcp } from "./commands/mcp.ts";
import { memories } from "./commands/memories.ts";
import { profiles } from "./commands/profiles.ts";
import { providers } from "./commands/providers.ts";
import { run } from "./commands/run.ts";
import { scorers } from "./commands/scorers.ts";
import { sessions } from "./commands/sessions.ts";
import { webhooks } from "./commands/webhooks.ts";

/** Every command but `completion`, in the order of the help. */
export const commands: readonly (CommandRow | GroupRow)[] = [
  login,
  logout,
  profiles,
  run,
  chat,
  agents,
  dev,
  executions,
  approvals,
  sessions,
  memories,
  costs,
  files,
  knowledge,
  datasets,
  guardrails,
  scorers,
  experiments,
  webhooks,
  providers,
  integrations,
  mcp,
  keys,
];

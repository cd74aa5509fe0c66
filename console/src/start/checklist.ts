import type { Agent, ApiKey, LlmProvider } from "../../../client/openapi.ts";

/** Parts of a tenant that decide the checklist; undefined for a part that is not read yet, or not permitted. */
export type TenantState = {
  providers: readonly Pick<LlmProvider, "id">[] | undefined;
  agents: readonly Pick<Agent, "id" | "latestRevision" | "deployedRevision">[] | undefined;
  hasExecutions: boolean | undefined;
  keys: readonly Pick<ApiKey, "scopes" | "status">[] | undefined;
};

/** A step of the first ten minutes. */
export type ChecklistStep = {
  label: string;
  /** Why, in one sentence. */
  hint: string;
  isDone: boolean;
  /** Address of its page, after the tenant. */
  address: string;
  action: string;
};

/** Builds the checklist of a tenant, without steps with an unknown state. */
export const buildChecklist = ({
  providers,
  agents,
  hasExecutions,
  keys,
}: TenantState): ChecklistStep[] => {
  const latest = agents?.find(({ latestRevision }) => latestRevision !== null);
  const waiting = agents?.find(
    ({ latestRevision, deployedRevision }) => latestRevision !== null && deployedRevision === null,
  );
  const at = (agent: Pick<Agent, "id"> | undefined, tab: string): string =>
    agent ? `agents/${encodeURIComponent(agent.id)}/${tab}` : "templates";
  const step = (isDone: boolean | undefined, rest: Omit<ChecklistStep, "isDone">) =>
    isDone === undefined ? [] : [{ ...rest, isDone }];
  return [
    ...step(
      providers?.some(({ id }) => id !== "echo"),
      {
        label: "Connect a model",
        hint: "Until then, agents use the built-in model echo, which returns its prompt and costs nothing.",
        address: "models",
        action: "Create model provider",
      },
    ),
    ...step(agents && latest !== undefined, {
      label: "Create an agent",
      hint: "A template runs as it is. You change its steps later.",
      address: "templates",
      action: "Choose template",
    }),
    ...step(hasExecutions, {
      label: "Run it",
      hint: "Its trace shows each step, with tokens, cost and time.",
      address: at(latest, "try"),
      action: "Try it",
    }),
    ...step(
      keys?.some(({ scopes, status }) => status === "Active" && scopes.includes("agents:execute")),
      {
        label: "Create an API key",
        hint: "Programs run agents with a key that has the scope agents:execute.",
        address: "api-keys",
        action: "Create API key",
      },
    ),
    ...step(
      agents?.some(({ deployedRevision }) => deployedRevision !== null),
      {
        label: "Deploy an agent",
        hint: "Programs, chats and schedules run the deployed revision.",
        address: at(waiting ?? latest, "revisions"),
        action: "Deploy",
      },
    ),
  ];
};

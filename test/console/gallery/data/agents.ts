import { unwrapBody } from "../../../../client/client.ts";
import type { DemoContext } from "./demo.ts";
import {
  importRevision,
  issueRevision,
  type Revision,
  reportRevision,
  supportRevisions,
} from "./revisions.ts";

const agents: readonly { id: string; displayName: string; description?: string }[] = [
  {
    id: "support",
    displayName: "Support",
    description:
      "Answers customers in the chat on our website, and passes on what it may not decide.",
  },
  {
    id: "issue-triage",
    displayName: "Issue triage",
    description: "Labels new issues of acme/app and asks for what is missing.",
  },
  { id: "weekly-report", displayName: "Weekly report" },
  { id: "nightly-import", displayName: "Nightly import" },
  {
    id: "contract-review",
    displayName: "Review of contracts and their amendments for the legal department",
    description: "Not deployed yet.",
  },
];

/** Creates agents with revisions, schedules, a budget and collaborators, and runs them. Returns executions. */
export const createAgents = async (context: DemoContext) => {
  const { client, path } = context;
  for (const body of agents) {
    await client.POST("/v1/tenants/{tenant}/agents", { params: { path }, body });
  }
  for (const { id = "", displayName } of supportRevisions.at(-1)?.assets ?? []) {
    const body = { id, displayName: displayName ?? id, type: "upload" };
    await client.POST("/v1/tenants/{tenant}/assets", { params: { path }, body });
  }
  for (const revision of supportRevisions) await addRevision(context, "support", revision);
  await deploy(context, "support", supportRevisions.length);
  for (const [agent, revision] of [
    ["issue-triage", issueRevision],
    ["weekly-report", reportRevision],
    ["nightly-import", importRevision],
  ] as const) {
    await addRevision(context, agent, revision);
    await deploy(context, agent, 1);
  }
  await addRevision(context, "contract-review", reportRevision);
  await inviteCollaborators(context);
  await client.PUT("/v1/tenants/{tenant}/agents/{agent}/budget", {
    params: { path: { ...path, agent: "support" } },
    body: {
      amount: 250,
      thresholdRules: [{ percent: 50 }, { percent: 80 }, { percent: 100 }],
      enforceLimit: true,
    },
  });
  return runAgents(context);
};

const buildParams = (agent: string, path: DemoContext["path"]) => ({
  params: { path: { ...path, agent } },
});

const addRevision = ({ client, path }: DemoContext, agent: string, body: Revision) =>
  client.POST("/v1/tenants/{tenant}/agents/{agent}/revisions", {
    ...buildParams(agent, path),
    body,
  });

const deploy = ({ client, path }: DemoContext, agent: string, revision: number) =>
  client.POST("/v1/tenants/{tenant}/agents/{agent}/revisions/{revision}:deploy", {
    params: { path: { ...path, agent, revision: revision } },
  });

const inviteCollaborators = async ({ client, path }: DemoContext): Promise<void> => {
  const people = [
    { user: "auth0|grace", role: "Editor", firstName: "Grace", lastName: "Hopper" },
    { user: "auth0|katherine", role: "Viewer", firstName: "Katherine", lastName: "Johnson" },
    { user: "5f7c0a2e-0f6b-4f6a-9d0e-2b8f1c3d4e5f", role: "Owner" },
  ] as const;
  for (const { user, ...person } of people) {
    await client.PUT("/v1/tenants/{tenant}/agents/{agent}/collaborators/{user}", {
      params: { path: { ...path, agent: "support", user } },
      body: {
        ...person,
        email: `${user.replace(/^.*\|/, "")}@acme.example`,
        alertPreferences: { errorAlerts: true, budgetAlerts: person.role !== "Viewer" },
      },
    });
  }
};

const runAgents = async ({ client, path }: DemoContext) => {
  const run = async (
    agent: string,
    input: Record<string, unknown>,
    prefer: { Prefer?: "respond-async" } = {},
  ): Promise<string> => {
    const result = await unwrapBody(
      client.POST("/v1/tenants/{tenant}/agents/{agent}:execute", {
        params: { path: { ...path, agent }, header: prefer },
        body: { input },
      }),
    );
    return typeof result === "string" ? "" : result.executionId;
  };
  const async = { Prefer: "respond-async" } as const;
  await run("triage", {});
  const running = await run("nightly-import", { since: "2026-11-01" }, async);
  const cancelled = await run("nightly-import", { since: "2026-10-01" }, async);
  await client.POST(
    "/v1/tenants/{tenant}/agents/{agent}/execution-records/{executionRecord}:cancel",
    { params: { path: { ...path, agent: "nightly-import", executionRecord: cancelled } } },
  );
  for (const title of ["The search finds nothing", "Dark mode for the editor"]) {
    await run("issue-triage", { title, url: "https://github.com/acme/app/issues/4" });
  }
  const failed = await run("issue-triage", { title: "" }, async);
  const succeeded = await run("support", {
    message: "My invoice is wrong, and the export stopped last night. Can you help?",
    topics: ["invoice of October", "export to S3", "contact of accounting"],
  });
  return { running, failed, succeeded };
};

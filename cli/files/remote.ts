import { unwrapBody } from "../../client/client.ts";
import type { Agent, Skill } from "../../client/openapi.ts";
import type { Page, PageQuery } from "../../client/pages.ts";
import { ProblemError } from "../../client/problem-error.ts";
import type { Requirement } from "../experiments/requirements.ts";
import { listAll } from "../list.ts";
import type { Session } from "../session.ts";
import type { AgentParts } from "./file-value.ts";
import type { Members } from "./json-value.ts";
import type { ReferenceKind } from "./references.ts";
import type { SkillContent } from "./skill-file.ts";

/** A resource that can be referred to by id or name. */
export type Named = { id: string; displayName: string | null };

/** The API as agents' files use it. */
export type Remote = ReturnType<typeof createRemote>;

/** Creates the calls that agents' files need. */
export const createRemote = ({ client, tenant }: Pick<Session, "client" | "tenant">) => {
  const path = { tenant };
  const ofAgent = (agent: string) => ({ params: { path: { tenant, agent } } });
  const ofSkill = (skill: string) => ({ params: { path: { tenant, skill } } });
  const ofRevision = (agent: string, revision: number) => ({
    params: { path: { tenant, agent, revision } },
  });
  const lists: Record<ReferenceKind, (query: PageQuery) => Promise<Page<Named>>> = {
    agent: (query) =>
      unwrapBody(client.GET("/v1/tenants/{tenant}/agents", { params: { path, query } })),
    provider: (query) =>
      unwrapBody(client.GET("/v1/tenants/{tenant}/llm-providers", { params: { path, query } })),
    skill: (query) =>
      unwrapBody(client.GET("/v1/tenants/{tenant}/skills", { params: { path, query } })),
    config: (query) =>
      unwrapBody(
        client.GET("/v1/tenants/{tenant}/integration-configs", { params: { path, query } }),
      ),
    asset: (query) =>
      unwrapBody(client.GET("/v1/tenants/{tenant}/assets", { params: { path, query } })),
  };
  return {
    findAgent: (id: string): Promise<Agent | undefined> =>
      unlessMissing(unwrapBody(client.GET("/v1/tenants/{tenant}/agents/{agent}", ofAgent(id)))),
    findSkill: (id: string): Promise<Skill | undefined> =>
      unlessMissing(unwrapBody(client.GET("/v1/tenants/{tenant}/skills/{skill}", ofSkill(id)))),
    getRevision: (id: string, revision: number): Promise<unknown> =>
      unwrapBody(
        client.GET(
          "/v1/tenants/{tenant}/agents/{agent}/revisions/{revision}",
          ofRevision(id, revision),
        ),
      ),
    listAgents: (): Promise<Agent[]> =>
      listAll((query) =>
        unwrapBody(client.GET("/v1/tenants/{tenant}/agents", { params: { path, query } })),
      ),
    /** Lists the resources of a kind; undefined when the credentials may not. */
    listNamed: (kind: ReferenceKind): Promise<Named[] | undefined> =>
      listAll(lists[kind]).catch((error: unknown) => {
        if (error instanceof ProblemError && error.slug === "insufficient-scope") return undefined;
        throw error;
      }),
    /** Lists the ids of a config's tools; undefined when they are not known. */
    listTools: (integration: string, configId: string): Promise<string[] | undefined> =>
      listAll((query) =>
        unwrapBody(
          client.GET("/v1/tenants/{tenant}/integrations/{integration}/tools", {
            params: { path: { tenant, integration }, query: { ...query, configId } },
          }),
        ),
      ).then(
        (tools) => tools.map(({ id }) => id),
        (error: unknown) => {
          if (error instanceof ProblemError) return undefined;
          throw error;
        },
      ),
    createAgent: (id: string, parts: AgentParts) =>
      unwrapBody(
        client.POST("/v1/tenants/{tenant}/agents", {
          params: { path },
          body: { id, ...parts },
        }),
      ),
    updateAgent: (id: string, parts: AgentParts) =>
      unwrapBody(
        client.PATCH("/v1/tenants/{tenant}/agents/{agent}", { ...ofAgent(id), body: parts }),
      ),
    createRevision: (id: string, body: Members) =>
      unwrapBody(
        client.POST("/v1/tenants/{tenant}/agents/{agent}/revisions", { ...ofAgent(id), body }),
      ),
    deploy: (id: string, revision: number, requirement?: Requirement) =>
      unwrapBody(
        client.POST("/v1/tenants/{tenant}/agents/{agent}/revisions/{revision}:deploy", {
          ...ofRevision(id, revision),
          ...(requirement && { body: { require: requirement } }),
        }),
      ),
    createSkill: (id: string, skill: SkillContent) =>
      unwrapBody(
        client.POST("/v1/tenants/{tenant}/skills", { params: { path }, body: { id, ...skill } }),
      ),
    updateSkill: (id: string, skill: SkillContent) =>
      unwrapBody(
        client.PUT("/v1/tenants/{tenant}/skills/{skill}", { ...ofSkill(id), body: skill }),
      ),
  };
};

const unlessMissing = <Body>(response: Promise<Body>): Promise<Body | undefined> =>
  response.catch((error: unknown) => {
    if (error instanceof ProblemError && error.slug === "not-found") return undefined;
    throw error;
  });

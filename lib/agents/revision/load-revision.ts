import * as z from "zod";
import { type CompiledFlow, compileFlow } from "../../engine/flow/compile-flow.ts";
import type { PinnedOutputs } from "../../engine/flow/pinned-steps.ts";
import type { LlmChoice } from "../../engine/flow/step-type.ts";
import { CacheMode, FallbackOn } from "../../engine/models/llm-options.ts";
import type { ToolRegistry } from "../../engine/tools/tool.ts";
import type { Database } from "../../platform/db/database.ts";
import { type ObjectStore, unpackValue } from "../../platform/db/large-value.ts";
import type { Sealer } from "../../platform/db/seal.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { AgentItem } from "../agent/store.ts";
import { withoutCompleted } from "./complete-sub-agents.ts";
import { RevisionContent } from "./content.ts";
import { openRevisionSecrets } from "./open-revision-secrets.ts";
import { putSecretsBack } from "./secrets.ts";
import { getRevisionContent } from "./store.ts";

/** A revision ready to run: secrets restored, flow compiled. Never leaves the function. */
export type LoadedRevision = {
  content: RevisionContent;
  flow: CompiledFlow;
  /** Default model of Prompt steps. */
  defaultLlm: LlmChoice | undefined;
  /** Outputs of steps of a draft that are not run; absent without any. */
  pinned?: PinnedOutputs;
};

type LoadDeps = { db: Database; objects: ObjectStore; sealer: Sealer; tools: ToolRegistry };

const maxKept = 50;
const model = { providerId: z.string(), parameters: z.record(z.string(), z.json()) };
const DefaultLlm = z
  .object({
    ...model,
    fallbacks: z.array(z.object(model)).nullish(),
    fallbackOn: FallbackOn.nullish(),
    cache: CacheMode.nullish(),
  })
  .optional();

/**
 * Creates a loader that caches revisions, which are immutable, in the instance. An agent created again under a
 * deleted agent's id is distinguished by its creation time.
 */
export const revisionLoader = (deps: LoadDeps) => {
  const kept = new Map<string, Promise<LoadedRevision | undefined>>();
  return (
    tenantId: TenantId,
    agent: Pick<AgentItem, "id" | "createdAt">,
    revision: number,
  ): Promise<LoadedRevision | undefined> => {
    const name = `${tenantId}/${agent.id}/${agent.createdAt}/${revision}`;
    const known = kept.get(name);
    if (known) return known;
    const loading = load(deps, tenantId, agent.id, revision);
    if (kept.size >= maxKept) kept.clear();
    kept.set(name, loading);
    const forget = () => {
      if (kept.get(name) === loading) kept.delete(name);
    };
    loading.then((loaded) => loaded ?? forget(), forget);
    return loading;
  };
};

const load = async (
  { db, objects, sealer, tools }: LoadDeps,
  tenantId: TenantId,
  agentId: string,
  revision: number,
): Promise<LoadedRevision | undefined> => {
  const item = await getRevisionContent(db, tenantId, agentId, revision);
  if (!item) return undefined;
  const masked = RevisionContent.parse(await unpackValue(item.content, objects));
  const content = putSecretsBack(
    masked,
    await openRevisionSecrets(sealer, tenantId, agentId, item.secrets),
  );
  return compileRevision(content, tools);
};

/** Compiles the content of a revision, with its secrets, that was checked before. */
export const compileRevision = (content: RevisionContent, tools?: ToolRegistry): LoadedRevision => {
  const compiled = compileFlow(content.flow, {
    ...(tools && { tools }),
    subAgents: content.subAgents.map(withoutCompleted),
    assets: content.assets,
  });
  if (!compiled.ok) throw new Error("a revision was stored with a flow that does not compile");
  return { content, flow: compiled.flow, defaultLlm: DefaultLlm.parse(content.llmConfigs[0]) };
};

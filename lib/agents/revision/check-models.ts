import {
  type AllowedModels,
  allowsEveryModel,
  allowsModel,
  notAllowed,
} from "../../engine/models/allowed-models.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { didYouMean } from "../../platform/http/nearest-name.ts";
import { type ValidationIssue, validationFailed } from "../../platform/http/problems.ts";
import { hasScope } from "../../tenancy/collaborator/may.ts";
import { builtInProviders, findBuiltIn } from "../../tenancy/llm-provider/built-in-providers.ts";
import { getProvider, listProviders } from "../../tenancy/llm-provider/store.ts";
import type { TenantContext } from "../../tenancy/tenant/context.ts";
import { buildPointer, isRecord } from "../../values/json/json.ts";
import type { RevisionContent } from "./content.ts";
import { findRefusedFiles } from "./find-refused-files.ts";

/** A model that a revision uses; `model` is undefined for the provider's default. */
type NamedModel = {
  pointer: string;
  providerId: string;
  model: string | undefined;
  /** Whether an expression names the model. */
  isDynamic: boolean;
};

/**
 * Checks that each provider that a revision names exists, has a default model where none is named, and takes the inputs that
 * Prompts send as files. Throws 400 with pointers. A provider or model named by an expression is checked when it is called.
 */
export const checkProviders = async (
  db: Database,
  { principal, tenant }: Pick<TenantContext, "principal" | "tenant">,
  content: RevisionContent,
): Promise<void> => {
  const named = modelsIn(content);
  const ids = [...new Set(named.map(({ providerId }) => providerId))];
  const found = await Promise.all(
    ids.map(async (id) => [id, findBuiltIn(id) ?? (await getProvider(db, tenant.id, id))] as const),
  );
  const known = new Map(found);
  const missing = named.filter(({ providerId }) => !known.get(providerId));
  const mayList = hasScope(principal, "llm_providers:read");
  const others = missing.length > 0 ? await knownIds(db, mayList ? tenant.id : undefined) : [];
  const errors = named.flatMap(({ pointer, providerId, model, isDynamic }): ValidationIssue[] => {
    const provider = known.get(providerId);
    if (!provider) {
      const detail = didYouMean(`there is no provider "${providerId}"`, providerId, others);
      return [{ pointer: `${pointer}/providerId`, detail }];
    }
    if (model !== undefined || isDynamic || provider.defaultModel !== null) return [];
    const detail = `is required: the provider "${provider.displayName}" has no default model; name one, or set its defaultModel`;
    return [{ pointer: `${pointer}/parameters/model`, detail }];
  });
  const refused = findRefusedFiles(content, (id) => known.get(id));
  if (errors.length > 0 || refused.length > 0) throw validationFailed([...errors, ...refused]);
};

/** Returns ids to suggest: the built-in providers and the first ones of a tenant. */
const knownIds = async (db: Database, tenantId: TenantId | undefined): Promise<string[]> => {
  const items = tenantId ? (await listProviders(db, tenantId, { size: 100, skip: 0 })).items : [];
  return [...builtInProviders, ...items].map(({ id }) => id);
};

/**
 * Checks that the deployment allows each Bedrock model. Throws 400 with pointers. A model named by an
 * expression is checked when it is called.
 */
export const checkModels = async (
  { db, bedrockModels }: { db: Database; bedrockModels: AllowedModels },
  { tenantId, content }: { tenantId: TenantId; content: RevisionContent },
): Promise<void> => {
  if (allowsEveryModel(bedrockModels)) return;
  const named = modelsIn(content).filter(({ isDynamic }) => !isDynamic);
  const ids = [...new Set(named.map(({ providerId }) => providerId))];
  const providers = await Promise.all(ids.map((id) => getProvider(db, tenantId, id)));
  const known = new Map(providers.flatMap((item) => (item ? [[item.id, item] as const] : [])));
  const errors = named.flatMap(({ pointer, providerId, model }): ValidationIssue[] => {
    const provider = known.get(providerId);
    const wanted = model ?? provider?.defaultModel ?? undefined;
    if (provider?.type !== "bedrock" || wanted === undefined) return [];
    if (allowsModel(bedrockModels, wanted)) return [];
    const place = model === undefined ? "/providerId" : "/parameters/model";
    return [{ pointer: pointer + place, detail: notAllowed(wanted) }];
  });
  if (errors.length > 0) throw validationFailed(errors);
};

const modelsIn = ({ flow, llmConfigs }: RevisionContent): NamedModel[] => {
  const steps = isRecord(flow) && Array.isArray(flow.steps) ? flow.steps : [];
  return [
    ...llmConfigs.flatMap((llm, at) => modelIn(buildPointer("llmConfigs", at), llm)),
    ...steps.flatMap((step, at) => listStepModels(buildPointer("flow", "steps", at), step)),
  ];
};

/** Lists the models of a step, and of the step inside a ForEach. */
const listStepModels = (pointer: string, step: unknown): NamedModel[] => {
  if (!isRecord(step)) return [];
  return [
    ...modelIn(`${pointer}/llm`, step.llm),
    ...("step" in step ? listStepModels(`${pointer}/step`, step.step) : []),
  ];
};

/** Lists the model of a reference and its fallbacks. */
const modelIn = (pointer: string, llm: unknown): NamedModel[] => {
  const fallbacks: unknown = isRecord(llm) ? llm.fallbacks : undefined;
  return [
    ...ownModelIn(pointer, llm),
    ...(Array.isArray(fallbacks) ? fallbacks : []).flatMap((fallback: unknown, at) =>
      ownModelIn(pointer + buildPointer("fallbacks", at), fallback),
    ),
  ];
};

const ownModelIn = (pointer: string, llm: unknown): NamedModel[] => {
  if (!isRecord(llm) || typeof llm.providerId !== "string" || isExpression(llm.providerId)) {
    return [];
  }
  const { model } = isRecord(llm.parameters) ? llm.parameters : {};
  const isDynamic = typeof model === "string" && isExpression(model);
  const own = typeof model === "string" && model !== "" ? model : undefined;
  return [{ pointer, providerId: llm.providerId, model: own, isDynamic }];
};

const isExpression = (text: string): boolean => text.includes("{%");

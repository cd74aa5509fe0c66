import {
  type AllowedModels,
  allowsEveryModel,
  allowsModel,
  notAllowed,
} from "../../engine/models/allowed-models.ts";
import { isRecord, pointerOf } from "../../json/json.ts";
import type { Database } from "../../platform/db/database.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type InvalidPlace, validationFailed } from "../../platform/http/problems.ts";
import { getProvider } from "../../tenancy/llm-provider/store.ts";
import type { RevisionContent } from "./schemas.ts";

/** A model that a revision uses; `model` is undefined for the provider's default. */
type NamedModel = { pointer: string; providerId: string; model: string | undefined };

/**
 * Checks that the deployment allows each Bedrock model. Throws 400 with pointers. A model named by an
 * expression is checked when it is called.
 */
export const checkModels = async (
  { db, bedrockModels }: { db: Database; bedrockModels: AllowedModels },
  tenantId: TenantId,
  content: RevisionContent,
): Promise<void> => {
  if (allowsEveryModel(bedrockModels)) return;
  const named = modelsIn(content);
  const ids = [...new Set(named.map(({ providerId }) => providerId))];
  const providers = await Promise.all(ids.map((id) => getProvider(db, tenantId, id)));
  const known = new Map(providers.flatMap((item) => (item ? [[item.id, item] as const] : [])));
  const errors = named.flatMap(({ pointer, providerId, model }): InvalidPlace[] => {
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
    ...llmConfigs.flatMap((llm, at) => modelIn(pointerOf("llmConfigs", at), llm)),
    ...steps.flatMap((step, at) => modelsOfStep(pointerOf("flow", "steps", at), step)),
  ];
};

/** Lists the models of a step, and of the step inside a ForEach. */
const modelsOfStep = (pointer: string, step: unknown): NamedModel[] => {
  if (!isRecord(step)) return [];
  return [
    ...modelIn(`${pointer}/llm`, step.llm),
    ...("step" in step ? modelsOfStep(`${pointer}/step`, step.step) : []),
  ];
};

const modelIn = (pointer: string, llm: unknown): NamedModel[] => {
  if (!isRecord(llm) || typeof llm.providerId !== "string" || isExpression(llm.providerId)) {
    return [];
  }
  const { model } = isRecord(llm.parameters) ? llm.parameters : {};
  if (typeof model === "string" && isExpression(model)) return [];
  const own = typeof model === "string" && model !== "" ? model : undefined;
  return [{ pointer, providerId: llm.providerId, model: own }];
};

const isExpression = (text: string): boolean => text.includes("{%");

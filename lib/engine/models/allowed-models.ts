/** Bedrock models that a deployment allows: ids or ARNs; a `*` at the end matches any suffix. */
export type AllowedModels = readonly string[];

/** Returns whether every model is allowed. */
export const allowsEveryModel = (allowed: AllowedModels): boolean => allowed.includes("*");

/** Checks the id or ARN of a model or an inference profile. An ARN also matches by its last part. */
export const allowsModel = (allowed: AllowedModels, model: string): boolean => {
  const names = model.startsWith("arn:") ? [model, model.split("/").at(-1) ?? ""] : [model];
  return allowed.some((entry) =>
    entry.endsWith("*")
      ? names.some((name) => name.startsWith(entry.slice(0, -1)))
      : names.includes(entry),
  );
};

/** Returns the detail of a refusal. */
export const notAllowed = (model: string): string =>
  `${JSON.stringify(model)} is not among the Bedrock models that this deployment allows (BEDROCK_MODELS)`;

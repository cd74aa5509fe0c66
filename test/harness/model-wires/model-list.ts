import type { ModelRequest } from "./wire.ts";

/** A model that the fake lists. */
export type FakeModel = { id: string; displayName?: string };

const pageSize = 2;

/**
 * Returns the list of models that a request asks for, in the format of its service; undefined for another request.
 * A page of a service with pages has two models.
 */
export const listFakeModels = (
  { method, path, headers }: ModelRequest,
  models: readonly FakeModel[],
): unknown => {
  const { pathname, searchParams } = new URL(path, "http://models");
  if (method !== "GET") return undefined;
  const cut = (cursor: string) => {
    const start = Number(searchParams.get(cursor) ?? 0);
    const next = start + pageSize < models.length ? String(start + pageSize) : undefined;
    return { page: models.slice(start, start + pageSize), next };
  };
  if (pathname.endsWith("/v1beta/models")) {
    const { page, next } = cut("pageToken");
    return {
      models: page.map(({ id, displayName }) => ({ name: `models/${id}`, displayName })),
      nextPageToken: next,
    };
  }
  if (pathname.endsWith("/models") && headers["anthropic-version"] !== undefined) {
    const { page, next } = cut("after_id");
    return {
      data: page.map(({ id, displayName }) => ({ type: "model", id, display_name: displayName })),
      has_more: next !== undefined,
      last_id: next ?? null,
    };
  }
  if (pathname.endsWith("/foundation-models")) {
    return {
      modelSummaries: models
        .slice(0, 1)
        .map(({ id, displayName }) => ({ modelId: id, modelName: displayName })),
    };
  }
  if (pathname.endsWith("/inference-profiles")) {
    const { page, next } = cut("nextToken");
    return {
      inferenceProfileSummaries: page.map(({ id, displayName }) => ({
        inferenceProfileId: id,
        inferenceProfileName: displayName,
      })),
      nextToken: next,
    };
  }
  if (!pathname.endsWith("/models")) return undefined;
  const data = models.map(({ id, displayName }) => ({ id, object: "model", name: displayName }));
  return { object: "list", data };
};

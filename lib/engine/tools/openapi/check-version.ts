import type { JsonObject } from "../../../values/json/json.ts";
import { ToolError } from "../tool.ts";
import { getOwnMember } from "./read.ts";

/** Throws a ToolError for a document that is not OpenAPI 3.0 or 3.1. */
export const checkVersion = (root: JsonObject): void => {
  const version = getOwnMember(root, "openapi");
  const text = typeof version === "string" || typeof version === "number" ? String(version) : "";
  // Without quotes YAML makes 3.0 the number 3.
  if (/^3(\.[01](\.\d+)?)?(-.{1,40})?$/.test(text)) return;
  if (getOwnMember(root, "swagger") !== undefined) {
    throw new ToolError(
      "The document is Swagger 2.0; only OpenAPI 3.0 and 3.1 are read. Convert it first.",
    );
  }
  throw new ToolError(
    text === ""
      ? 'The document has no "openapi" version, so it is not an OpenAPI document.'
      : `The document's version is OpenAPI ${text.slice(0, 20)}; only 3.0 and 3.1 are supported.`,
  );
};

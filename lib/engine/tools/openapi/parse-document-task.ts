import { ToolError } from "../tool.ts";
import { parseDocument } from "./parse-document.ts";

/** An OpenAPI document as JSON, or its error. */
export type ParsedDocument =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly detail: string };

/** Parses an OpenAPI document. Expands YAML's aliases, within a limit. */
export const run = (text: string): ParsedDocument => {
  try {
    return { ok: true, json: JSON.stringify(parseDocument(text)) };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { ok: false, detail: error.message };
  }
};

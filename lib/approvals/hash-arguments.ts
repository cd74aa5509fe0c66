import { sha256Hex } from "../platform/signatures/signatures.ts";
import { canonicalJson } from "../values/json/canonical-json.ts";

/** Hashes the arguments of a tool, whatever the order of their members; null for none. */
export const hashArguments = (values: Readonly<Record<string, unknown>> | null): string | null =>
  values && sha256Hex(canonicalJson(values));

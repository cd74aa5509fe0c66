import { validationFailed } from "../../platform/http/problems.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import { readParameters } from "../sources/read-parameters.ts";
import type { Source } from "../sources/source.ts";
import { upload } from "../sources/upload.ts";
import type { ParameterValues } from "./source-credentials.ts";

/** Returns the source of a type, or that of uploaded documents. Throws 400 for an unknown type. */
export const sourceOfType = (sources: readonly Source[], type: string): Source => {
  const all = [...sources, upload];
  const source = all.find(({ key }) => key === type);
  if (source) return source;
  const detail = `must be one of ${all.map(({ key }) => key).join(", ")}`;
  throw validationFailed([{ pointer: "/type", detail }]);
};

/** Checks the parameters of a source and returns those that were given. Throws 400 with pointers. */
export const checkParameters = (
  source: Source,
  given: Readonly<Record<string, unknown>>,
  outgoing: OutgoingOptions,
): ParameterValues => {
  readParameters(source, given, { at: "/parameters", outgoing });
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      value === null ? [] : [[name, String(value)]],
    ),
  );
};

import type { TenantId } from "../../platform/db/tenant-id.ts";
import { type ValidationIssue, validationFailed } from "../../platform/http/problems.ts";
import type { OutgoingOptions } from "../../platform/outgoing/resolve-host.ts";
import type { Source } from "../../vendors/source.ts";
import { readParameters } from "../sources/read-parameters.ts";
import { upload } from "../sources/upload.ts";
import type { ParameterValues } from "./source-credentials.ts";

/** A source that an asset can have. */
export type AssetSource = Source & {
  /** Checks valid parameters of an asset against the tenant's other resources; returns the problems with pointers. */
  checkAsset?(
    tenantId: TenantId,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<ValidationIssue[]>;
};

/** Returns the source of a type, or that of uploaded documents. Throws 400 for an unknown type. */
export const requireSourceType = (sources: readonly AssetSource[], type: string): AssetSource => {
  const all = [...sources, upload];
  const source = all.find(({ key }) => key === type);
  if (source) return source;
  const detail = `must be one of ${all.map(({ key }) => key).join(", ")}`;
  throw validationFailed([{ pointer: "/type", detail }]);
};

/** Checks the parameters of an asset's source and returns those that were given. Throws 400 with pointers. */
export const checkSourceParameters = async (
  source: AssetSource,
  given: Readonly<Record<string, unknown>>,
  { tenantId, outgoing }: { tenantId: TenantId; outgoing: OutgoingOptions },
): Promise<ParameterValues> => {
  const at = "/parameters";
  const parameters = readParameters(source, given, { at, outgoing });
  const problems = (await source.checkAsset?.(tenantId, parameters)) ?? [];
  if (problems.length > 0) {
    throw validationFailed(
      problems.map(({ pointer, detail }) => ({ pointer: `${at}${pointer}`, detail })),
    );
  }
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      value === null ? [] : [[name, String(value)]],
    ),
  );
};

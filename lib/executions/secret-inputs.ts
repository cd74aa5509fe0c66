import * as z from "zod";
import type { SealedValue, Sealer } from "../platform/db/seal.ts";
import { mask } from "../platform/http/mask.ts";
import type { ParameterDescriptor } from "../values/json/parameters.ts";
import type { ExecutionKey } from "./keys.ts";

type Input = Readonly<Record<string, unknown>>;

const Sealed = z.record(z.string(), z.unknown());

/** The execution that secrets are sealed for. */
type Place = Pick<ExecutionKey, "tenantId" | "executionId">;

/**
 * Masks the secrets of an input and seals them for later runs.
 * @param masked inputs that contain a secret of their sender, as they are shown
 */
export const hideSecrets = async (
  sealer: Sealer,
  { tenantId, executionId }: Place,
  input: Input,
  { parameters, masked = {} }: { parameters: readonly ParameterDescriptor[]; masked?: Input },
): Promise<{ shown: Input; secrets: SealedValue | null }> => {
  const names = parameters.filter(({ secret }) => secret).map(({ name }) => name);
  const secrets = names.filter((name) => Object.hasOwn(input, name));
  const replaced = { ...masked, ...Object.fromEntries(secrets.map((name) => [name, mask])) };
  if (Object.keys(replaced).length === 0) return { shown: input, secrets: null };
  const hidden = Object.fromEntries(Object.keys(replaced).map((name) => [name, input[name]]));
  return {
    shown: { ...input, ...replaced },
    secrets: await sealer.seal(hidden, { tenantId, executionId }),
  };
};

/** Restores the input as it was sent. */
export const revealSecrets = async (
  sealer: Sealer,
  { tenantId, executionId }: Place,
  { shown, secrets }: { shown: Input; secrets: SealedValue | null },
): Promise<Input> =>
  secrets === null
    ? shown
    : {
        ...shown,
        ...Sealed.parse(await sealer.open(secrets, { tenantId, executionId })),
      };

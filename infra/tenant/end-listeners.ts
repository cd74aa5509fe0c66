import { setTimeout as sleep } from "node:timers/promises";
import { outgoingSettings } from "../../lib/platform/runtime/env.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { reach } from "../../lib/webhooks/registration/reach-registrar.ts";
import type { EndListeners } from "./drain-tenant.ts";
import type { Installation } from "./installation.ts";

const timeoutMs = 60_000;

/** Removes listeners with the credentials of the integration configs that created them. */
export const endListeners =
  ({ db, sealer }: Installation): EndListeners =>
  async ({ tenantId, provider, configId, externalContext, remoteId }) => {
    const { clock } = systemRuntime;
    const deps = { db, sealer, outgoing: outgoingSettings(), ...systemRuntime, sleep };
    try {
      const place = { provider, configId, externalContext };
      const reached = await reach(deps, { tenantId, place, until: clock() + timeoutMs });
      if (!reached) return "the tenant has no published integration config for it";
      await reached.registrar.unregister(reached.target, remoteId);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };

/** Leaves listeners at their providers, for the installation that the tenant moved to. */
export const keepListeners: EndListeners = async () => "--keep-listeners";

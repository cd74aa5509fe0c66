import { createHash } from "node:crypto";
import { maxRestMs } from "./model-failure.ts";
import type { ProviderSettings } from "./provider-settings.ts";

/** Models that are left alone after a failure, by account, address and model. */
export type Cooldowns = {
  /** Returns the Unix milliseconds until which a model is left alone; 0 for none. */
  until(settings: ProviderSettings, model: string): number;
  /** Leaves a model alone until a time, at most 5 minutes from `now`. Unix milliseconds. */
  leave(settings: ProviderSettings, model: string, times: { now: number; until: number }): void;
};

const maxKept = 1_000;

/** Creates the cooldowns of a function instance. Another key or address of a provider begins without one. */
export const createCooldowns = (): Cooldowns => {
  const kept = new Map<string, number>();
  return {
    until: (settings, model) => kept.get(nameModel(settings, model)) ?? 0,
    leave(settings, model, { now, until }) {
      const name = nameModel(settings, model);
      kept.delete(name);
      if (kept.size >= maxKept)
        for (const [other] of [...kept].slice(0, maxKept / 2)) kept.delete(other);
      kept.set(name, Math.min(until, now + maxRestMs));
    },
  };
};

const nameModel = ({ type, baseUrl, region, apiKey }: ProviderSettings, model: string): string =>
  createHash("sha256")
    .update(JSON.stringify([type, baseUrl, region, apiKey, model]))
    .digest("base64url");

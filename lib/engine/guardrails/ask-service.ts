import type { Json } from "../../values/json/json.ts";
import type { GuardedPlace, OutsideCheck } from "./schemas.ts";

/** A part of a text, and the mask in its place. */
export type Replacement = readonly [match: string, mask: string];

/** The findings of a service in a value. */
export type ServiceFinding = {
  /** Whether the check applies. */
  readonly applies: boolean;
  readonly kinds: readonly string[];
  /** The rating of a model. */
  readonly score?: number;
  /** The parts that a mask replaces; absent for what cannot be masked, which a check with this action blocks. */
  readonly replacements?: readonly Replacement[];
};

/** Asks the service of a check about a value. Rejects when the check fails. */
export type AskService = (
  check: OutsideCheck,
  asked: { readonly place: GuardedPlace; readonly value: Json },
) => Promise<ServiceFinding>;

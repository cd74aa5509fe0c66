import { conflict } from "../../platform/http/problems.ts";
import type { LlmProvider } from "./schemas.ts";

/** Wharf's own birthday: built-in providers were made with it. */
const builtInAt = Date.UTC(2026, 10, 20);

/** The providers that every tenant has, and that need no account anywhere. */
export const builtInProviders: readonly LlmProvider[] = [
  {
    id: "echo",
    type: "echo",
    displayName: "Echo",
    baseUrl: null,
    region: null,
    defaultModel: "echo-1",
    createdAt: builtInAt,
    modifiedAt: builtInAt,
  },
];

/** The built-in provider of this id. */
export const findBuiltIn = (id: string): LlmProvider | undefined =>
  builtInProviders.find((provider) => provider.id === id);

/** Throws 409 for a built-in provider. */
export const requireNotBuiltIn = (id: string): void => {
  if (findBuiltIn(id)) throw conflict(`The language-model provider "${id}" is built in.`);
};

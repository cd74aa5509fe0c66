/** Providers that the service can register webhooks with; also the ids of their integrations. */
export const registrarIds = ["github", "gitlab", "jira", "telegram", "linear"] as const;

/** Id of a provider with a registrar. */
export type RegistrarId = (typeof registrarIds)[number];

/** Returns whether the service can register webhooks with a provider. */
export const isRegistrarId = (id: string): id is RegistrarId =>
  registrarIds.some((known) => known === id);

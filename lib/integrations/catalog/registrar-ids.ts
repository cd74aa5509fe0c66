/** The providers with whom the service can register listeners; also the ids of their integrations. */
export const registrarIds = ["github", "gitlab", "jira", "telegram", "linear"] as const;

/** Id of a provider with a registrar. */
export type RegistrarId = (typeof registrarIds)[number];

/** Whether listeners can be registered with a provider. */
export const isRegistrarId = (id: string): id is RegistrarId =>
  registrarIds.some((known) => known === id);

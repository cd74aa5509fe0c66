/** Status of a collaborator's invitation. */
export const collaboratorStatus = { invited: 0, active: 1 } as const;

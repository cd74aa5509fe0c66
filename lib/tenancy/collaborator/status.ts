/** Where a collaborator's invitation stands. */
export const collaboratorStatus = { invited: 0, active: 1 } as const;

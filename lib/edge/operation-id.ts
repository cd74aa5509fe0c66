/** Converts `get-agent` to the operationId `getAgent`. */
export const toOperationId = (operation: string): string =>
  operation.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** An authenticated caller and its rights. */
export type Principal = {
  type: "User" | "ApiKey";
  /** The key's id, or the token's `sub`. */
  id: string;
  organizationId: string;
  scopes: readonly string[];
  /**
   * Users that limit the principal by their roles at an agent: the user itself, also by its
   * verified address in lower case; of a key, the users who minted it and the one to whom its present secret was
   * shown. Empty for a key that was not minted by a user.
   */
  userIds: readonly string[];
  /** A user's address; null for keys. */
  email: string | null;
  /** Details of an API key; null for users. */
  apiKey: {
    name: string;
    lastUsedAt: number;
    expiresAt: number | null;
    /** The integration config with the only MCP server that the key is for. */
    mcpConfigId?: string | undefined;
  } | null;
};

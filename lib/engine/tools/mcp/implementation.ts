/** What this product is called in the Model Context Protocol, as a client and as a server. */
export const implementation = { name: "wharf", version: "0.1.0" } as const;

/** Name and version of this product as a client and server of the Model Context Protocol. */
export const implementation = { name: "wharf", version: "0.1.0" } as const;

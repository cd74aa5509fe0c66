/** A field of a connector's form, for a parameter of its provider. */
export type ChatField = {
  readonly name: string;
  readonly displayName: string;
  readonly description?: string;
  readonly secret?: boolean;
};

/** Members of the console's form of a connector, per vendor. */
export type ChatForm = { readonly label: string; readonly parameters: readonly ChatField[] };

/** Base URL of another installation of the vendor's API. */
export const apiUrl: ChatField = {
  name: "apiUrl",
  displayName: "API URL",
  description: "The address of another installation of the provider's API.",
};

/** Defines the field of a credential. */
export const credentialField = (
  name: string,
  displayName: string,
  description?: string,
): ChatField => ({
  name,
  displayName,
  secret: true,
  ...(description !== undefined && { description }),
});

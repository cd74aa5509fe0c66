/** Members of the console's form of a webhook, per vendor. */
export type WebhookForm = {
  readonly label: string;
  /** Where the vendor shows the secret that it issues; absent if the service creates it. */
  readonly issuesSecretAt?: string;
  readonly externalContextHint?: string;
  readonly filterHint?: string;
};

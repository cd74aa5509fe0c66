declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  type Details = {
    readonly uid: string;
    readonly prompt: { readonly name: string };
    readonly params: Readonly<Record<string, unknown>>;
    readonly session?: { readonly accountId: string };
  };

  /** The parts of oidc-provider that tests use: it has no types of its own. */
  export class Provider {
    constructor(issuer: string, configuration: object);
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Details>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options: { readonly mergeWithLastSubmission: boolean },
    ): Promise<void>;
    on(event: string, listener: (...values: readonly unknown[]) => void): void;
    readonly Grant: new (of: {
      readonly accountId: string;
      readonly clientId: string;
    }) => {
      addOIDCScope(scope: string): void;
      addResourceScope(resource: string, scope: string): void;
      save(): Promise<string>;
    };
    readonly AccessToken: {
      find(token: string): Promise<
        | {
            readonly accountId: string;
            readonly scope: string;
            readonly isValid: boolean;
            /** Thumbprint of the key that it is bound to. */
            readonly jkt?: string;
            readonly aud?: string | readonly string[];
          }
        | undefined
      >;
    };
  }
}

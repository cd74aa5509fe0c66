import { UserManager, WebStorageStateStore } from "oidc-client-ts";
import type { ConsoleConfig } from "./console-config.ts";

/** Path to which the issuer returns. */
export const callbackPath = "/console/sign-in";

/** Creates the OpenID Connect client. Tokens are kept for as long as the tab is open. */
export const createUserManager = (config: ConsoleConfig): UserManager =>
  new UserManager({
    authority: config.issuer,
    client_id: config.clientId,
    redirect_uri: `${location.origin}${callbackPath}`,
    post_logout_redirect_uri: `${location.origin}/console/`,
    response_type: "code",
    // The ID token of a user pool has all attributes with this scope alone.
    scope: config.bearer === "id_token" ? "openid" : "openid email offline_access",
    ...(config.audience !== undefined && { extraQueryParams: { audience: config.audience } }),
    userStore: new WebStorageStateStore({ store: sessionStorage }),
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
    automaticSilentRenew: true,
    loadUserInfo: false,
    popupWindowFeatures: { width: 480, height: 640 },
  });

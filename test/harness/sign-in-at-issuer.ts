/** Signs in at the page of the local issuer that a client has opened, as a person does; returns the address that the browser is sent to. */
export const signInAtIssuer = async (authorizationUrl: URL, role: string): Promise<URL> => {
  const page = await fetch(authorizationUrl);
  if (page.status !== 200) throw new Error(await page.text());
  const form = new URLSearchParams(authorizationUrl.search);
  form.set("user", "ada@example.com");
  form.set("role", role);
  const url = new URL("/oauth2/authorize", authorizationUrl);
  const accepted = await fetch(url, { method: "POST", body: form, redirect: "manual" });
  return new URL(accepted.headers.get("location") ?? "");
};

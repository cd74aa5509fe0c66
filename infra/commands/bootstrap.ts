import { parseArgs } from "node:util";
import * as z from "zod";
import { database } from "../../lib/platform/db/database.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { TenantSlug } from "../../lib/tenancy/tenant/schemas.ts";
import { type Bootstrapped, bootstrapOrganization } from "../bootstrap/bootstrap-organization.ts";
import { type Deployment, findDeployment, findLocalDeployment } from "../bootstrap/deployment.ts";
import { readConfig } from "../settings/config.ts";
import { CommandError, runCommand } from "../shell/command.ts";

const usage = `usage: npm run bootstrap -- --email ADDRESS --organization ID --tenant SLUG [options]

Creates an organization's tenant, first user and first admin key, unless they exist, on the deployed stacks of
STACK_PREFIX, with the AWS credentials of the environment. Shows the key once.

  --role PRESET     role of a new user: admin (default), builder, runner or read-only
  --subject SUB     the user's sub at your own issuer (OIDC_ISSUER), for the key's history
  --invite-again    sends another invitation to a user who has not signed in yet
  --new-key         creates another admin key when there is one
  --local           works on the running local stack`;

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;

const Options = z.object({
  email: z.email("--email must be an e-mail address"),
  organization: z
    .string("--organization is required")
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9._|:-]{0,63}$/,
      "--organization must be an ID of up to 64 letters, digits and . _ | : -",
    ),
  tenant: z.string("--tenant is required").refine((slug) => TenantSlug.safeParse(slug).success, {
    error: "--tenant must be 1 to 63 lower-case letters, digits or dashes",
  }),
  role: z
    .enum(
      ["admin", "builder", "runner", "read-only"],
      "--role must be admin, builder, runner or read-only",
    )
    .default("admin"),
  subject: z.string().min(1, "--subject must not be empty").optional(),
  "invite-again": z.boolean().default(false),
  "new-key": z.boolean().default(false),
  local: z.boolean().default(false),
});
type Options = z.output<typeof Options>;

const readOptions = (): Options => {
  try {
    const { values } = parseArgs({
      options: {
        email: text,
        organization: text,
        tenant: text,
        role: text,
        subject: text,
        "invite-again": flag,
        "new-key": flag,
        local: flag,
      },
    });
    return Options.parse(values);
  } catch (error) {
    const lines =
      error instanceof z.ZodError
        ? error.issues.map(({ message }) => message)
        : [error instanceof Error ? error.message : String(error)];
    throw new CommandError([...new Set(lines), usage].join("\n"));
  }
};

const keyName = "bootstrap";

const report = (
  { email, organization, tenant: slug }: Options,
  { apiUrl = "https://API", signIn }: Deployment,
  { tenant, isNewTenant, user, key }: Bootstrapped,
): string => {
  const lines = [
    `Organization  ${organization}`,
    `Tenant        ${slug} (${tenant.id}): ${isNewTenant ? "created" : "exists"}`,
    `User          ${email}: ${user}`,
    `Admin key     ${key ?? `"${keyName}" exists; --new-key creates another`}`,
    ...(signIn === undefined ? [] : [`${signIn.name.padEnd(13)} ${signIn.url}`]),
    "",
    ...(key === null ? [] : ["Keep the key: it is not shown again."]),
    "Try it:",
    `  curl ${withoutSlash(apiUrl)}/v1/tenants/${slug}/agents -H "X-API-KEY: ${key ?? "…"}"`,
  ];
  return lines.join("\n");
};

const withoutSlash = (url: string): string => url.replace(/\/$/, "");

await runCommand(async () => {
  const options = readOptions();
  const config = readConfig(process.env);
  const deployment = options.local
    ? findLocalDeployment()
    : await findDeployment(config, {
        subject: options.subject,
        invitesAgain: options["invite-again"],
      });
  const bootstrapped = await bootstrapOrganization(
    {
      db: database(),
      runtime: systemRuntime,
      prefix: config.KEY_PREFIX,
      users: deployment.users,
    },
    {
      organizationId: options.organization,
      tenant: { slug: options.tenant, displayName: options.tenant },
      email: options.email,
      role: options.role,
      keyName,
      createsAnotherKey: options["new-key"],
    },
  );
  console.log(report(options, deployment, bootstrapped));
});

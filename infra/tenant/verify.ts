import { isUuid } from "../../lib/platform/http/ids.ts";
import { CommandError } from "../shell/command.ts";
import type { Subject } from "./classify.ts";
import { toSubject } from "./delete-tenant.ts";
import type { Installation } from "./installation.ts";
import type { Manifest } from "./manifest.ts";
import { findDeletion } from "./move-store.ts";
import type { Pace } from "./pace.ts";
import type { Progress } from "./progress.ts";
import { findTenant, readSubject } from "./subject.ts";
import { type Compared, compareToDeleted, compareToExport, countTenant } from "./verify-tenant.ts";

type Deps = {
  readonly installation: Installation;
  readonly pace: Pace;
  readonly progress: Progress;
  readonly clock: () => number;
};

/** Compares what an installation has of a tenant to its export. */
export const verifyExport = async (deps: Deps, manifest: Manifest): Promise<Compared[]> => {
  const subject = await readSubject(deps.installation, manifest.tenant, manifest);
  const counts = await countTenant(deps, {
    subject,
    known: { indexes: manifest.indexes, schedules: [] },
    withOrganization: true,
  });
  return compareToExport(counts, manifest);
};

/**
 * Compares what an installation has of a tenant to nothing. The record of its deletion, if any, names the indexes and
 * schedules that it had. Throws a CommandError for a slug that is not known any more.
 */
export const verifyDeleted = async (deps: Deps, idOrSlug: string): Promise<Compared[]> => {
  const { installation } = deps;
  const tenant = await findTenant(installation, idOrSlug);
  const deletion = await findDeletion(installation.db, tenant?.id ?? idOrSlug);
  const counts = await countTenant(deps, {
    subject: tenant
      ? await readSubject(installation, tenant)
      : deletion
        ? toSubject(deletion)
        : describeUnknown(idOrSlug),
    known: deletion,
    withOrganization: tenant === undefined && deletion?.isOnlyTenant === true,
  });
  return compareToDeleted(counts);
};

const describeUnknown = (id: string): Subject => {
  if (!isUuid(id)) {
    throw new CommandError(`No tenant has the slug ${id}, and none was deleted. Give the id.`);
  }
  return {
    tenantId: id.toLowerCase(),
    slug: undefined,
    organizationId: undefined,
    isOnlyTenant: false,
    keys: new Set(),
    ownKeys: new Set(),
    foreignKeys: new Set(),
  };
};

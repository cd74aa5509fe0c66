import { useQuery } from "@tanstack/react-query";
import { unwrapBody } from "../../../client/client.ts";
import type {
  CreateSkillBody,
  GenerateSkillBody,
  Skill,
  UpdateSkillBody,
} from "../../../client/openapi.ts";
import { useClient } from "../session/session-context.ts";
import { useTenant } from "../session/tenant.ts";
import { useAction } from "../shared/use-action.ts";
import { useList } from "../shared/use-list.ts";

const skillPath = "/v1/tenants/{tenant}/skills/{skill}";

/** Lists the skills. */
export const useSkills = () => {
  const client = useClient();
  const tenant = useTenant();
  return useList<Skill>({
    queryKey: [tenant, "skills"],
    getId: ({ id }) => id,
    read: (query) =>
      unwrapBody(
        client.GET("/v1/tenants/{tenant}/skills", { params: { path: { tenant }, query } }),
      ),
  });
};

/** Reads a skill. */
export const useSkill = (skill: string) => {
  const client = useClient();
  const tenant = useTenant();
  return useQuery({
    queryKey: [tenant, "skills", skill],
    queryFn: () => unwrapBody(client.GET(skillPath, { params: { path: { tenant, skill } } })),
  });
};

/** Drafts a skill from a markdown file; nothing is stored. */
export const useDraftSkill = () =>
  useAction([], ({ client, tenant }, body: GenerateSkillBody) =>
    unwrapBody(
      client.POST("/v1/tenants/{tenant}/skills:generate-from-markdown", {
        params: { path: { tenant } },
        body,
      }),
    ),
  );

/** Creates a skill. */
export const useCreateSkill = () =>
  useAction(["skills"], ({ client, tenant }, body: CreateSkillBody) =>
    unwrapBody(client.POST("/v1/tenants/{tenant}/skills", { params: { path: { tenant } }, body })),
  );

/** Changes a skill. */
export const useUpdateSkill = (skill: string) =>
  useAction(
    ["skills"],
    ({ client, tenant }, body: UpdateSkillBody) =>
      unwrapBody(client.PUT(skillPath, { params: { path: { tenant, skill } }, body })),
    { done: ({ displayName }) => `Saved ${displayName}. The next execution uses it.` },
  );

/** Deletes a skill. */
export const useDeleteSkill = (skill: string) =>
  useAction(
    ["skills"],
    ({ client, tenant }) => client.DELETE(skillPath, { params: { path: { tenant, skill } } }),
    { removed: ["skills", skill] },
  );

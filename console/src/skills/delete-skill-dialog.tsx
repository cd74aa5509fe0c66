import type { Skill } from "../../../client/openapi.ts";
import { DeleteDialog } from "../shared/delete-dialog.tsx";
import { useDeleteSkill } from "./use-skills.ts";

type DeleteSkillDialogProps = { skill: Skill; onDeleted?: () => void; onClose: () => void };

/** Asks before a skill is deleted. */
export const DeleteSkillDialog = ({ skill, onDeleted, onClose }: DeleteSkillDialogProps) => {
  const { mutateAsync } = useDeleteSkill(skill.id);
  return (
    <DeleteDialog
      name={skill.displayName}
      onDelete={() => mutateAsync()}
      onDeleted={onDeleted}
      onClose={onClose}
    >
      Steps that use it fail from now on.
    </DeleteDialog>
  );
};

/** Opens the dialog that adds a language; at the plan's limit it stays off and shows why. */
import { Button, type ButtonProps, Tooltip } from "@mantine/core";
import type { Project } from "@/lib/api-types";
import { isLargestPlan } from "@/lib/project";
import { IconLanguage } from "@/ui/icons";

/** Why no language can be added, or null. */
function languageLimitReason(project: Project): string | null {
  const { languages, tierName } = project;
  const limit = project.limits.languages;
  if (limit === -1 || languages.length < limit) return null;
  const way = isLargestPlan(project)
    ? "It is the largest plan: delete a language first, or ask the operator of this server for more."
    : "Please upgrade to add more languages.";
  return `You've reached the ${limit} language limit for the '${tierName}' plan. ${way}`;
}

export function AddLanguageButton({
  project,
  onClick,
  ...look
}: Pick<ButtonProps, "className" | "size"> & { project: Project; onClick: () => void }) {
  const icon = <IconLanguage size={15} stroke={1.7} aria-hidden="true" />;
  const reason = languageLimitReason(project);
  if (reason === null) {
    return (
      <Button {...look} leftSection={icon} onClick={onClick}>
        Add language
      </Button>
    );
  }
  return (
    <Tooltip label={reason}>
      <Button
        {...look}
        leftSection={icon}
        data-disabled
        aria-disabled="true"
        aria-description={reason}
        onClick={(event) => event.preventDefault()}
      >
        Add language
      </Button>
    </Tooltip>
  );
}

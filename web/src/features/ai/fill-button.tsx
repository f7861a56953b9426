/** The button 'AI Fill Screen': opens the dialog, or stays off and shows why. */
import { Button, Modal, Tooltip } from "@mantine/core";
import { useState } from "react";
import { NO_PLAN_FOR_AI } from "@/lib/ai";
import type { Project } from "@/lib/api-types";
import { hasActivePlan, may, refusals } from "@/lib/project";
import { useNow } from "@/lib/use-now";
import { IconSparkles } from "@/ui/icons";
import { later } from "@/ui/later";
import { LoadingRows } from "@/ui/states";

const form = later(
  async () => (await import("./fill-form")).FillForm,
  <LoadingRows rows={6} height={36} label="Loading" />,
);

export interface FillButtonProps {
  project: Project;
  screen: string;
  /** The language that is shown beside the default language. */
  target: string | undefined;
  className?: string | undefined;
}

export function FillButton({ project, screen, target, className }: FillButtonProps) {
  form.useFetched();
  const [isOpen, setOpen] = useState(false);
  const hasPlan = hasActivePlan(project, useNow());
  const reason = !may(project, "edit")
    ? refusals.edit
    : !hasPlan
      ? NO_PLAN_FOR_AI
      : project.languages.length < 2
        ? "Add a language first: there is nothing to translate into."
        : null;
  const off = reason === null ? {} : { "data-disabled": true, "aria-disabled": true, "aria-description": reason };
  return (
    <>
      <Tooltip label={reason} disabled={reason === null}>
        <Button
          className={className}
          leftSection={<IconSparkles size={15} stroke={1.7} aria-hidden="true" />}
          {...off}
          onClick={() => {
            if (reason === null) setOpen(true);
          }}
        >
          AI Fill Screen
        </Button>
      </Tooltip>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="AI Fill Screen" size="sm">
        <form.Part project={project} screen={screen} target={target} onClose={() => setOpen(false)} />
      </Modal>
    </>
  );
}

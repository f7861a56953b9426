import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import toast from "react-hot-toast";
import { failureOf } from "@/lib/api";
import type { Wanted } from "./filters";
import { exportLog, type FileKind } from "./queries";

/** Save what is filtered, all pages of it. */
export function ExportButtons({ projectId, wanted }: { projectId: string; wanted: Wanted }) {
  return (
    <>
      <ExportButton kind="csv" projectId={projectId} wanted={wanted} />
      <ExportButton kind="json" projectId={projectId} wanted={wanted} />
    </>
  );
}

function ExportButton({ kind, projectId, wanted }: { kind: FileKind; projectId: string; wanted: Wanted }) {
  const saving = useMutation({
    mutationFn: () => exportLog(projectId, wanted, kind),
    onError: (error) => toast.error(failureOf(error, "Failed to export the audit log.")),
  });
  return (
    <Button size="xs" loading={saving.isPending} onClick={() => saving.mutate()}>
      Export {kind.toUpperCase()}
    </Button>
  );
}

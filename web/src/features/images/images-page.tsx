/** The image library of a project: what apps show under which key. Changes are live at once. */
import { Button, TextInput, Tooltip } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type Ref, useCallback, useEffect, useRef, useState } from "react";
import toast from "react-hot-toast";
import { messageOf } from "@/lib/api";
import type { Project } from "@/lib/api-types";
import { hasActivePlan, may, refusals, useProject } from "@/lib/project";
import { useNow } from "@/lib/use-now";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { IconSearch, IconUpload } from "@/ui/icons";
import { Notice } from "@/ui/notice";
import { PageBody } from "@/ui/page";
import { Box, Grid, Row, Text } from "@/ui/parts";
import { EmptyState, ErrorState } from "@/ui/states";
import { DropCover, usePastedFiles } from "./drop-cover";
import { ImageCard } from "./image-card";
import { ImageDialog } from "./image-dialog";
import { ImageUses } from "./image-uses";
import classes from "./images-page.module.css";
import { LoadingGrid } from "./loading-grid";
import { type ImageRecord, imagesQuery, useImageRemoval } from "./queries";
import { useImageTask } from "./use-image-task";

/** With fewer the eye is faster. */
const SEARCHED_FROM = 9;

const NO_PLAN =
  "This project does not have an active plan. Please assign credits in Project Settings to upload images.";

export function ImagesPage() {
  const { project } = useProject();
  const query = useQuery(imagesQuery(project.projectId));
  return (
    <PageBody>
      {query.isPending ? (
        <LoadingGrid />
      ) : query.data === undefined ? (
        <ErrorState message={messageOf(query.error, "Failed to fetch images.")} onRetry={() => void query.refetch()} />
      ) : (
        <Library project={project} images={query.data} />
      )}
    </PageBody>
  );
}

function Library({ project, images }: { project: Project; images: readonly ImageRecord[] }) {
  const { openActivation } = useProject();
  const hasPlan = hasActivePlan(project, useNow());
  const mayEdit = may(project, "edit");
  const mayActivate = may(project, "assign_credits");
  const [search, setSearch] = useState("");
  const [deleting, setDeleting] = useState<ImageRecord | null>(null);
  const removal = useImageRemoval(project.projectId);
  const { task, isOpen, start, edit, take, clear, next, close } = useImageTask();

  const list = useRef<HTMLUListElement>(null);
  const uploadButton = useRef<HTMLButtonElement>(null);
  /** The image that is being deleted, and the image whose card then takes the focus. */
  const going = useRef<{ id: string; next: string | undefined } | null>(null);
  useEffect(() => {
    const gone = going.current;
    if (gone === null || deleting !== null || images.some(({ _id }) => _id === gone.id)) return;
    going.current = null;
    const cards = [...(list.current?.children ?? [])] as HTMLElement[];
    const card = cards.find(({ dataset }) => dataset["image"] === gone.next);
    (card?.querySelector<HTMLElement>("[data-pencil]") ?? uploadButton.current)?.focus();
  });

  const reason = hasPlan || mayActivate ? null : NO_PLAN;
  const offerPlan = () => {
    if (mayActivate) openActivation();
    else toast.error(NO_PLAN);
  };
  const takeFiles = (files: File[]) => {
    if (hasPlan || isOpen) take(files);
    else offerPlan();
  };
  const button = (
    <UploadButton
      ref={uploadButton}
      reason={reason}
      isFilled={images.length === 0}
      onClick={() => (hasPlan ? start() : offerPlan())}
    />
  );
  const words = search.trim().toLowerCase();
  const found = words === "" ? images : images.filter(({ key }) => key.toLowerCase().includes(words));
  const confirmDelete = (image: ImageRecord) => {
    const place = found.findIndex(({ _id }) => _id === image._id);
    going.current = { id: image._id, next: (found[place + 1] ?? found[place - 1])?._id };
    removal.mutate(image, {
      onSuccess: ({ message }) => toast.success(message || `Image "${image.key}" deleted successfully.`),
      onError: (error) => {
        going.current = null;
        toast.error(messageOf(error, "Failed to delete image."));
      },
      onSettled: () => setDeleting(null),
    });
  };
  return (
    <>
      {!mayEdit && <Notice tone="plain">{refusals.edit}</Notice>}
      {images.length > 0 && (
        <Row wrap align="center" gap={8} gapX={12} mb={16} className={classes["toolbar"]}>
          <Text me="auto" size="s" tone="ink-2" num>
            {images.length === 1 ? "1 image" : `${images.length.toLocaleString("en")} images`}
            <Text as="span" tone="ink-3">
              {" "}
              · changes are live at once
            </Text>
          </Text>
          {images.length >= SEARCHED_FROM && (
            <TextInput
              size="sm"
              type="search"
              className={classes["search"] ?? ""}
              aria-label="Find an image by its key"
              placeholder="Find by key"
              leftSection={<IconSearch size={15} aria-hidden="true" />}
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
          )}
          {mayEdit && button}
        </Row>
      )}
      {images.length === 0 ? (
        <Box fill="surface" radius="l" className={classes["empty"]}>
          <EmptyState title="No images yet" action={mayEdit ? button : undefined}>
            {mayEdit
              ? "Get started by uploading your first image asset."
              : "Images that the team uploads are shown here."}
          </EmptyState>
          {mayEdit && (
            <Text size="s" tone="ink-3" textAlign="center" balance px={24} pb={40} className={classes["ways"]}>
              You can also drop files anywhere on this page, or paste an image.
            </Text>
          )}
        </Box>
      ) : found.length === 0 ? (
        <EmptyState>No key of an image contains “{search.trim()}”.</EmptyState>
      ) : (
        <Grid as="ul" ref={list} gap={16} fit={220} phoneColumns={1} className={classes["grid"]} aria-label="Images">
          {found.map((image) => (
            <ImageCard
              key={image._id}
              image={image}
              {...(mayEdit ? { onEdit: () => edit(image), onDelete: () => setDeleting(image) } : {})}
            />
          ))}
        </Grid>
      )}
      {mayEdit && <FileCatcher onFiles={takeFiles} />}
      {task !== null && (
        <ImageDialog
          key={task.id}
          project={project}
          task={task}
          images={images}
          opened={isOpen}
          onFiles={take}
          onNoFile={clear}
          onClose={close}
          onSaved={next}
        />
      )}
      <ConfirmDialog
        opened={deleting !== null}
        title="Delete image"
        confirmText="Delete"
        tone="danger"
        loading={removal.isPending}
        onConfirm={() => deleting !== null && confirmDelete(deleting)}
        onClose={() => setDeleting(null)}
      >
        <p>Are you sure you want to delete the image "{deleting?.key ?? ""}"? This action cannot be undone.</p>
        <Text mt={8}>Apps lose it at once.</Text>
        {deleting !== null && <ImageUses projectId={project.projectId} image={deleting} />}
      </ConfirmDialog>
    </>
  );
}

function UploadButton({
  ref,
  reason,
  isFilled,
  onClick,
}: {
  ref: Ref<HTMLButtonElement>;
  /** Why the person may not upload, or null. */
  reason: string | null;
  isFilled: boolean;
  onClick: () => void;
}) {
  return (
    <Tooltip label={reason} disabled={reason === null}>
      <Button
        ref={ref}
        variant={isFilled ? "filled" : "default"}
        leftSection={<IconUpload size={15} aria-hidden="true" />}
        {...(reason === null ? {} : { "data-disabled": true, "aria-disabled": true, "aria-description": reason })}
        onClick={() => {
          if (reason === null) onClick();
        }}
      >
        Upload Image
      </Button>
    </Tooltip>
  );
}

/** Files come by drop and by paste, from anywhere on the page. */
function FileCatcher({ onFiles }: { onFiles: (files: File[]) => void }) {
  usePastedFiles(useCallback((files: File[]) => onFiles(files), [onFiles]));
  return <DropCover onFiles={onFiles} />;
}

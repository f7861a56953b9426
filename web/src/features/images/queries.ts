/** The images of a project: reading and changing them. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, api, messageOf, take } from "@/lib/api";
import type { Answer } from "@/lib/api-types";
import { refreshProjectSoon } from "@/lib/project";
import { apiQuery, invalidate, listCache } from "@/lib/query";
import { upload } from "@/lib/upload";

export type ImageRecord = Answer<"/api/images/{projectId}", "get">[number];

const LIST = "/api/images/{projectId}";

/** Returns the address of the calls that report their progress. */
const addressOf = (projectId: string, imageId?: string) =>
  `/api/images/${encodeURIComponent(projectId)}${imageId === undefined ? "" : `/${encodeURIComponent(imageId)}`}`;

const lists = listCache(LIST, { list: undefined });

export const imagesQuery = (projectId: string) => apiQuery(LIST, { path: { projectId } });

/** Which items show an image. The call is made again each time: an answer of a minute ago misleads who deletes now. */
export const usesQuery = (projectId: string, imageId: string) =>
  apiQuery("/api/images/{projectId}/{imageId}/uses", { path: { projectId, imageId } }, { staleTime: 0 });

/** What to send: a new image, or what changes of an existing image. */
export interface ImageDraft {
  image: ImageRecord | null;
  key: string;
  file: File | null;
}

export type UploadPhase = { name: "idle" } | { name: "sending"; share: number } | { name: "processing" };

const IDLE: UploadPhase = { name: "idle" };

/** Sends an image and reports the progress. */
export function useImageUpload(projectId: string) {
  const client = useQueryClient();
  const images = { path: { projectId } };
  const [phase, setPhase] = useState<UploadPhase>(IDLE);
  const [controller, setController] = useState<AbortController | null>(null);
  const mutation = useMutation({
    mutationFn: ({ image, key, file }: ImageDraft) => {
      const form = new FormData();
      if (image === null || key !== image.key) form.set("key", key);
      if (file !== null) form.set("imageFile", file);
      if (image !== null) form.set("revision", String(image.revision));
      const stop = new AbortController();
      setController(stop);
      setPhase(file === null ? { name: "processing" } : { name: "sending", share: 0 });
      return upload<ImageRecord>(image === null ? "POST" : "PUT", addressOf(projectId, image?._id), form, {
        projectId,
        signal: stop.signal,
        onProgress: (share) => setPhase(share < 1 ? { name: "sending", share } : { name: "processing" }),
      });
    },
    onSuccess: (saved) => lists.put(client, images, saved),
    onError: (error) => void lists.conflict(client, images, error),
    onSettled: () => {
      setPhase(IDLE);
      setController(null);
      // Its place in the list is the server's; after a stop it may have arrived all the same.
      void invalidate(client, LIST, images);
      refreshProjectSoon(client, projectId);
    },
  });
  return { upload: mutation.mutateAsync, phase, stop: () => controller?.abort() };
}

export function useImageRemoval(projectId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (image: ImageRecord) =>
      take(api.DELETE("/api/images/{projectId}/{imageId}", { params: { path: { projectId, imageId: image._id } } })),
    onSuccess: (_, image) => {
      lists.remove(client, { path: { projectId } }, image._id);
      refreshProjectSoon(client, projectId);
    },
  });
}

export interface ImageProblems {
  key?: string | undefined;
  file?: string | undefined;
  form?: string | undefined;
  /** Whether the plan does not allow it: the dialog then offers other plans. */
  needsPlan?: boolean;
}

/** The server's message about a refused image, by field if it names a field. */
export function refusalOfImage(error: unknown, fallback: string): ImageProblems {
  if (!(error instanceof ApiError)) return { form: `${fallback} The server can't be reached. Please try again.` };
  const { key, imageFile } = error.fields;
  if (key !== undefined || imageFile !== undefined) return { key, file: imageFile };
  const message = messageOf(error, fallback);
  if (error.status === 402) return { form: message, needsPlan: true };
  return error.status === 413 || error.status === 415 ? { file: message } : { form: message };
}

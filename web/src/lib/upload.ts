/** Calls with a file in them: unlike `fetch`, they report how much has been sent. */
import { ApiError, heed, NetworkError } from "./api";
import { BASE } from "./base";
import { sessionToken } from "./session";

export interface UploadOptions {
  /** For which an answer 404 may mean that it is gone. */
  projectId: string;
  /** From 0 to 1: what has left this browser; the server's own work begins at 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** Sends a form, or a file by itself. Returns the JSON of a successful answer. Throws `ApiError` or `NetworkError`, or an `AbortError` after `signal`. */
export function upload<Answer>(
  method: "POST" | "PUT",
  path: string,
  body: FormData | File,
  { projectId, onProgress, signal }: UploadOptions,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const token = sessionToken();
    const sent = token === null ? null : `Bearer ${token}`;
    const abort = () => request.abort();
    request.open(method, BASE + path);
    if (sent !== null) request.setRequestHeader("Authorization", sent);
    // In place of the browser's guess of a type.
    if (body instanceof File) request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.addEventListener("progress", ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total);
    });
    request.upload.addEventListener("load", () => onProgress(1));
    request.addEventListener("load", () => {
      heed(request.status, sent, projectId);
      const answer = parsed(request.responseText);
      if (request.status >= 200 && request.status < 300 && answer !== undefined) resolve(answer as Answer);
      else reject(new ApiError(request.status, answer, request.getResponseHeader("Retry-After")));
    });
    request.addEventListener("error", () => reject(new NetworkError("The server could not be reached.")));
    request.addEventListener("abort", () => reject(new DOMException("The upload was stopped.", "AbortError")));
    request.addEventListener("loadend", () => signal.removeEventListener("abort", abort));
    signal.addEventListener("abort", abort);
    if (signal.aborted) reject(new DOMException("The upload was stopped.", "AbortError"));
    else request.send(body);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

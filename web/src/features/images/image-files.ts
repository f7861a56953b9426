/** What is known of a file before it is sent: whether it can be an image of ours, and a key made of its name. */
import { formatBytes } from "@/lib/bytes";
import { IMAGE_BYTES, KEY_CHARACTERS } from "@/lib/limits.gen";
import type { ImageRecord } from "./queries";

export const LARGEST = `${IMAGE_BYTES / 1024 ** 2}MB`;
export const ACCEPTED = {
  "image/jpeg": [".jpg", ".jpeg"],
  "image/png": [".png"],
  "image/webp": [".webp"],
} as const;

const EXTENSION = /\.(jpe?g|png|webp)$/i;
const KEY = new RegExp(`^[A-Za-z_][A-Za-z0-9_.-]{0,${KEY_CHARACTERS - 1}}$`);

/** Why this file is not sent, or null. What it really is, the server finds out. */
export function refusalOfFile({ type, name, size }: File): string | null {
  // Some systems know no type for .webp.
  const isImage = type === "" ? EXTENSION.test(name) : Object.keys(ACCEPTED).includes(type);
  if (!isImage) return "Invalid file type. Please upload a JPG, PNG, WEBP image.";
  if (size > IMAGE_BYTES) return `This image is ${formatBytes(size)}. Please choose one of up to ${LARGEST}.`;
  return null;
}

/** Letters that are not made of a plain one and a mark. */
const WHOLE: Readonly<Record<string, string>> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d" };

/** `Hero Banner (2).PNG` becomes `hero_banner_2`; a key that is taken gets a number. */
export function keyOfFile(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .replace(/\.[^.]*$/, "")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[ßæœøłđ]/giu, (letter) => WHOLE[letter.toLowerCase()] ?? "")
    .replace(/[^A-Za-z0-9.-]+/g, "_")
    .replace(/^[_.-]+|[_.-]+$/g, "")
    .toLowerCase();
  const key = (/^[a-z]/.test(plain) ? plain : plain === "" ? "image" : `image_${plain}`).slice(0, KEY_CHARACTERS - 4);
  if (!taken.has(key)) return key;
  let number = 2;
  while (taken.has(`${key}_${number}`)) number += 1;
  return `${key}_${number}`;
}

/** What is wrong with the key of an image, before it is sent. */
export function refusalOfKey(key: string, others: ReadonlySet<string>): string | undefined {
  if (key === "") return "Image key is required.";
  if (!KEY.test(key)) return "Use letters, numbers, dots, hyphens, underscores. Must start with a letter.";
  return others.has(key) ? `Image key "${key}" already exists.` : undefined;
}

/** `1,200 × 800` */
export const dimensionsOf = ({ width, height }: { width: number; height: number }) =>
  `${width.toLocaleString("en")} × ${height.toLocaleString("en")}`;

const FORMATS: Readonly<Record<string, string>> = { "image/jpeg": "JPG", "image/png": "PNG", "image/webp": "WEBP" };

export const formatOf = ({ contentType }: Pick<ImageRecord, "contentType">) => FORMATS[contentType] ?? "";

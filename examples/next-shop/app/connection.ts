/** Where the content is, for the server and for the browser. */

export const connection = {
  projectId: process.env.NEXT_PUBLIC_LIVERY_PROJECT ?? "",
  key: process.env.NEXT_PUBLIC_LIVERY_KEY ?? "",
  baseUrl: process.env.NEXT_PUBLIC_LIVERY_URL ?? "",
};

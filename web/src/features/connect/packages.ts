/** The packages that this server hands out, with their version and a digest in the name: lock files keep these addresses. */
import { useQuery } from "@tanstack/react-query";
import { apiQuery } from "@/lib/query";

/** The file of a package by the last part of its name; empty until it is known. */
export type Packages = Readonly<Record<string, string>>;

const packagesQuery = apiQuery("/api/sdk-packages", {}, { select: ({ files }) => files });

export function usePackages(): Packages {
  const { data = {} } = useQuery(packagesQuery);
  return data;
}

/** Where a package is. Without its file it is the address that leads to the present file. */
export function addressOf(baseUrl: string, name: string, packages: Packages): string {
  return `${baseUrl}/sdk/${packages[name] ?? `livery-${name}.tgz`}`;
}

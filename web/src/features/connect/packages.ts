/** The packages that this server hands out, with their version and a digest in the name: lock files keep these addresses. */
import { useQuery } from "@tanstack/react-query";
import { isRecord } from "@/lib/is-record";

/** The file of a package by the last part of its name; empty until it is known. */
export type Packages = Readonly<Record<string, unknown>>;

async function readPackages(): Promise<Packages> {
  const answer = await fetch("/sdk/packages.json");
  const found: unknown = answer.ok ? await answer.json() : {};
  return isRecord(found) ? found : {};
}

export function usePackages(): Packages {
  const { data = {} } = useQuery({ queryKey: ["/sdk/packages.json"], queryFn: readPackages, staleTime: 60_000 });
  return data;
}

/** Where a package is. Without its file it is the address that leads to the present file. */
export function addressOf(baseUrl: string, name: string, packages: Packages): string {
  const file = packages[name];
  return `${baseUrl}/sdk/${typeof file === "string" ? file : `livery-${name}.tgz`}`;
}

/** A link to the page above this page. */
import type { ReactNode } from "react";
import { Link, type To } from "react-router";
import { IconArrowLeft } from "./icons";
import type { Look } from "./look";
import { Box } from "./parts";

interface BackLinkProps extends Look {
  to: To;
  className?: string | undefined;
  children: ReactNode;
}

export function BackLink({ children, ...props }: BackLinkProps) {
  return (
    <Box as={Link} layout="inline" align="center" gap={6} size="s" {...props}>
      <IconArrowLeft size={15} aria-hidden="true" />
      {children}
    </Box>
  );
}

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { keepRemember, SSO_START, ssoQuery } from "@/lib/sso";
import { Row } from "@/ui/parts";
import classes from "./form.module.css";

/** The way to single sign-on, where this server has it. With `isNeeded`, it is the way to go on, and takes the focus. */
export function SsoButton({ isNeeded, remember = true }: { isNeeded: boolean; remember?: boolean }) {
  const { data: name } = useQuery(ssoQuery);
  const button = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isNeeded) button.current?.focus();
  }, [isNeeded]);
  if (name === undefined || name === null) return null;
  return (
    <>
      <Row as="p" align="center" gap={12} size="s" tone="ink-2" className={classes["or"]}>
        or
      </Row>
      <Button
        component="a"
        ref={button}
        href={SSO_START}
        variant={isNeeded ? "filled" : "default"}
        size="md"
        fullWidth
        h="auto"
        classNames={{ label: classes["wrapped"] ?? "" }}
        onClick={() => keepRemember(remember)}
      >
        Continue with {name}
      </Button>
    </>
  );
}

import { type RefObject, useEffect, useRef } from "react";

/** Whether what asks is still shown: answers and notices outlive it, and lead nowhere else. */
export function useIsHere(): RefObject<boolean> {
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return isHere;
}

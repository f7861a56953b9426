import { useEffect, useRef } from "react";

/** Calls `onChange` when the address becomes another one, as by the Back button: what stood over the former page goes with it. */
export function useAddressChange(address: string, onChange: () => void): void {
  const former = useRef(address);
  useEffect(() => {
    if (former.current === address) return;
    former.current = address;
    onChange();
  });
}
